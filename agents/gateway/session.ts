import PQueue from 'p-queue'
import type { AskedCall } from '../../src/models/model-answer.ts'
import type { AttemptRun } from '../attempt-run.ts'
import type { MeteredKind } from '../budget.ts'
import type { CallEvents } from '../call-events.ts'
import { callKey } from '../progress.ts'
import type { LoopNotes } from '../prompts/notes.ts'
import type { CallResult, CallWork, Toolbox } from '../toolbox.ts'
import { type ModelCalls, openModelCalls } from './model-calls.ts'
import { openSessionEnd, RequestCount, RequestFlood, type SessionEnd } from './session-end.ts'

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
    run,
    toolbox,
    lastCall,
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

/** The most tool calls of an agent that run at the same time, as for our own loop. Further calls wait. */
const mostToolCalls = 8

/** The tool calls of an external agent. */
interface ToolCalls {
  /**
   * Calls a tool. Every refusal and failure is a result, also when the attempt is over. Failures that end the attempt set
   * `fatal`.
   */
  callTool(name: string, args: unknown): Promise<CallResult>
  /**
   * Runs other work as a call with this name. An example is a request through the proxy, which is not a tool of the
   * model.
   */
  perform(name: string, args: unknown, work: CallWork): Promise<CallResult>
}

/** What the tool calls of an attempt need. */
interface ToolCallsInput {
  readonly run: AttemptRun
  readonly toolbox: Toolbox
  readonly end: SessionEnd
  onAnswer(): void
}

/** Opens the tool calls of an attempt. */
function openToolCalls({ run, toolbox, end, onAnswer }: ToolCallsInput): ToolCalls & {
  /** The budget that refused the latest of the refused calls; null when no call was refused. */
  refusedToolKind(): MeteredKind | null
  /** Waits until no call is in progress. */
  onIdle(): Promise<void>
} {
  const queue = new PQueue({ concurrency: mostToolCalls })
  let calls = 0
  let refusedKind: MeteredKind | null = null

  const make = async (
    name: string,
    args: unknown,
    carryOut: (call: AskedCall) => Promise<CallResult>,
  ): Promise<CallResult> => {
    const call = { id: `call-${++calls}`, name, args }
    const result = await queue.add(async (): Promise<CallResult> => {
      if (end.signal.aborted) return overResult(call)
      try {
        return await carryOut(call)
      } catch (error) {
        end.fail(error)
        return overResult(call)
      }
    })
    refusedKind = result.refusedKind ?? refusedKind
    if (result.outcome === 'answered') {
      onAnswer()
      run.lastHealthyStep = run.step
    }
    return result
  }
  return {
    callTool: (name, args) => make(name, args, async call => (await toolbox.call([call]))[0]!),
    perform: (name, args, work) => make(name, args, call => toolbox.perform(call, work)),
    refusedToolKind: () => refusedKind,
    onIdle: () => queue.onIdle(),
  }
}

function overResult(call: CallResult['call']): CallResult {
  return {
    call,
    key: callKey(call.name, call.args),
    outcome: 'refused',
    refusedKind: null,
    text: 'The attempt is over. No more calls are possible.',
  }
}
