import type { AttemptRun } from '../attempt-run.ts'
import type { CallEvents } from '../call-events.ts'
import type { LoopNotes } from '../prompts/notes.ts'
import type { Toolbox } from '../toolbox.ts'
import { type ModelCalls, openModelCalls } from './model-calls.ts'
import { openSessionEnd, RequestCount, RequestFlood } from './session-end.ts'
import { openToolCalls, type ToolCalls } from './tool-calls.ts'

/** What the gateway puts into the last model request that the budget covers. */
export interface LastCallNotes {
  /** Demands the answer with the text that our own loop uses. */
  readonly answerNow: string
  /** Says how much of a tool result was kept. */
  readonly shortened: LoopNotes['shortened']
}

/**
 * The attempt of an external agent, shared by all parts of its gateway. Each call is charged before it is made. The
 * trace contains the same events as for our own loop.
 */
export interface GatewaySession extends ModelCalls, ToolCalls {
  readonly run: AttemptRun
  readonly toolbox: Toolbox
  /** Null: requests are passed on without notes, and nothing is kept for a last call. */
  readonly lastCall: LastCallNotes | null
  /** Counts a request of the agent. Too many requests without a result end the attempt. */
  countRequest(): void
  /** The failure that ends the attempt at once, such as a search service that is down; null when there is none. */
  fatal(): unknown
  /** Aborts when `fatal` is set or the attempt must end. */
  readonly ended: AbortSignal
  /** Ends the attempt by a failure that no agent can cause, such as a bug. */
  fail(reason: unknown): void
  close(): Promise<void>
}

/** Opens the session of an attempt. The caller must call `close`. */
export function openSession(
  run: AttemptRun,
  toolbox: Toolbox,
  events: CallEvents,
  lastCall: LastCallNotes | null,
): GatewaySession {
  const end = openSessionEnd(run.signal)
  const requests = new RequestCount()
  const onAnswer = (): void => requests.addUseful()
  const modelCalls = openModelCalls({ run, events, end, keepsLastCall: lastCall !== null, onAnswer })
  const { refusedToolKind, onIdle, ...toolCalls } = openToolCalls({ run, toolbox, end, onAnswer })
  return {
    ...{ run, toolbox, lastCall },
    ...modelCalls,
    ...toolCalls,
    ended: end.signal,
    fatal: end.fatal,
    fail: end.fail,
    countRequest() {
      if (!requests.isFlood() || end.signal.aborted) return
      end.fail(new RequestFlood(modelCalls.refusedKind() ?? refusedToolKind()))
    },
    async close() {
      end.stop(new Error('the attempt is over'))
      // Calls that the agent has not waited for end now, before the attempt's record is written.
      run.stopTools(new Error('the attempt is over'))
      await onIdle()
      await toolbox.close()
    },
  }
}
