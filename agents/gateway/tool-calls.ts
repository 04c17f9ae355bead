import PQueue from 'p-queue'
import type { AttemptRun } from '../attempt-run.ts'
import type { MeteredKind } from '../budget.ts'
import type { AskedCall } from '../model-answer.ts'
import { callKey } from '../progress.ts'
import type { CallResult, CallWork, Toolbox } from '../toolbox.ts'
import type { SessionEnd } from './session-end.ts'

/** The most tool calls of an agent that run at the same time, as for our own loop. Further calls wait. */
const mostToolCalls = 8

/** The tool calls of an external agent. */
export interface ToolCalls {
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
export interface ToolCallsInput {
  readonly run: AttemptRun
  readonly toolbox: Toolbox
  readonly end: SessionEnd
  onAnswer(): void
}

/** Opens the tool calls of an attempt. */
export function openToolCalls({ run, toolbox, end, onAnswer }: ToolCallsInput): ToolCalls & {
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
