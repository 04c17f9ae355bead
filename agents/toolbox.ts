import type { ToolMessage } from '@langchain/core/messages'
import { type StructuredToolInterface, ToolInputParsingException } from '@langchain/core/tools'
import PQueue from 'p-queue'
import { storedText } from '../logs/blobs.ts'
import { BudgetRefusedError, ProviderError, type ProviderReason, ToolError } from '../src/core/errors.ts'
import { untilAborted } from '../src/system/retry.ts'
import { isFatalToRun } from '../src/system/system-errors.ts'
import { closeTools } from '../tools/registry.ts'
import { NotShownError, type ToolArtifact, type ToolEnvironment } from '../tools/tool.ts'
import type { AttemptRun } from './attempt-run.ts'
import type { CallEvents } from './call-events.ts'
import { messageText } from './message-text.ts'
import type { AskedCall } from './model-answer.ts'
import { callKey } from './progress.ts'
import type { LoopNotes } from './prompts/notes.ts'
import { ReplayMiss, ToolCrash } from './termination.ts'

/** What became of one call. `bad-call`: unknown tool or arguments that do not fit. */
export interface CallResult {
  readonly call: AskedCall
  readonly key: string
  readonly outcome: 'answered' | 'failed' | 'refused' | 'bad-call'
  /** Kind of the budget that refused it; null unless refused. */
  readonly refusedKind: 'searchCalls' | 'fetchCalls' | 'usd' | null
  /** What the agent is shown. */
  readonly text: string
}

/** One attempt's tools and the way they are called. */
export interface Toolbox {
  readonly tools: readonly StructuredToolInterface[]
  /**
   * Carries out a turn's calls, side by side where the budgets allow it; results in the order of the calls. Rejects with
   * ProviderError (search service down), ToolCrash, ReplayMiss or the attempt's reason to end.
   */
  call(calls: readonly AskedCall[]): Promise<CallResult[]>
  /** Gives back what the tools hold open, such as pages in the browser. */
  close(): Promise<void>
}

const widestParallel = 8
/** Charges that one call may need (several queries, retries). Close to a cap calls take turns, so that the same ones are refused every time. */
const chargesACall = 5

export function openToolbox(run: AttemptRun, events: CallEvents, notes: LoopNotes): Toolbox {
  const { environment } = run
  // Kept by what was asked: a search whose retry the budget refuses has failed as its provider.
  const failedSearches = new Map<string, string>()
  const lastKind = new Map<string, string>()
  const toolEnvironment: ToolEnvironment = {
    ...environment.sharedToolEnvironment,
    signal: run.toolSignal,
    charge(kind, what) {
      const failure = failedSearches.get(what)
      lastKind.set(what, kind)
      try {
        run.meter.charge(kind, what)
      } catch (error) {
        throw failure === undefined ? error : providerFailure(failure, what)
      }
      failedSearches.delete(what)
    },
    retried(what, reason, retry, waitMs) {
      if (lastKind.get(what) === 'searchCalls') failedSearches.set(what, reason)
      run.usage.waits(environment.clock.now(), waitMs)
      events.file(() => run.emit({ type: 'provider-retried', what, reason, retry, waitMs }))
    },
  }
  const tools = environment.tools(toolEnvironment)
  const byName = new Map(tools.map(tool => [tool.name, tool]))
  const one = (call: AskedCall): Promise<CallResult> => callOne(run, events, notes, byName, call)
  return {
    tools,
    async call(calls) {
      const settled = await Promise.allSettled(
        // One alone has nothing to be put in order with.
        calls.length === 1 ? [one(calls[0]!)] : sideBySide(run, events, calls, one),
      )
      events.flush()
      if (run.signal.aborted) {
        const failing = [...failedSearches].at(0)
        if (failing !== undefined) run.failing = providerFailure(failing[1], failing[0])
      }
      return settled.map(result => {
        if (result.status === 'rejected') throw result.reason
        return result.value
      })
    },
    close: () => closeTools(toolEnvironment),
  }
}

function sideBySide(
  run: AttemptRun,
  events: CallEvents,
  calls: readonly AskedCall[],
  one: (call: AskedCall) => Promise<CallResult>,
): Promise<CallResult>[] {
  const queue = new PQueue({ concurrency: hasRoom(run, calls.length) ? widestParallel : 1 })
  return calls.map((call, index) => queue.add(() => events.run(index, () => one(call))))
}

function hasRoom(run: AttemptRun, calls: number): boolean {
  const { meter } = run
  if (meter.left('usd') !== null) return false
  const kinds = ['searchCalls', 'fetchCalls'] as const
  return kinds.every(kind => (meter.left(kind) ?? Number.POSITIVE_INFINITY) >= calls * chargesACall)
}

async function callOne(
  run: AttemptRun,
  events: CallEvents,
  notes: LoopNotes,
  byName: ReadonlyMap<string, StructuredToolInterface>,
  call: AskedCall,
): Promise<CallResult> {
  const { clock, keepText } = run.environment
  const startedAt = clock.now()
  events.file(() => run.emit({ type: 'tool-called', callId: call.id, tool: call.name, args: call.args }))
  const tool = byName.get(call.name)
  try {
    if (tool === undefined) throw new UnknownTool(notes.unknownTool(call.name, [...byName.keys()].join(', ')))
    const message = await untilAborted(invoke(tool, call, run.toolSignal), run.toolSignal)
    const text = messageText(message)
    const artifact = message.artifact as ToolArtifact | undefined
    const wallMs = Math.max(0, Math.round(clock.now() - startedAt))
    events.file(() =>
      run.emit({
        type: 'tool-answered',
        callId: call.id,
        tool: call.name,
        text: storedText(text, { put: keepText }),
        truncated: artifact?.truncated ?? false,
        observations: [...(artifact?.observations ?? [])],
        wallMs,
      }),
    )
    return { call, key: callKey(call.name, call.args), outcome: 'answered', refusedKind: null, text }
  } catch (error) {
    const failure = failureOf(error, run, notes)
    const wallMs = Math.max(0, Math.round(clock.now() - startedAt))
    if (failure.counts) run.usage.toolFailed()
    const { errorClass, infrastructure, trace } = failure
    const seen = error instanceof NotShownError ? { observations: [...error.observations] } : {}
    events.file(() =>
      run.emit({
        type: 'tool-failed',
        callId: call.id,
        tool: call.name,
        errorClass,
        message: trace,
        infrastructure,
        ...seen,
        wallMs,
      }),
    )
    if (failure.fatal !== null) throw failure.fatal
    const { outcome, refusedKind, text } = failure
    return { call, key: callKey(call.name, call.args), outcome, refusedKind, text }
  }
}

async function invoke(
  tool: StructuredToolInterface,
  call: AskedCall,
  signal: AbortSignal,
): Promise<ToolMessage> {
  const input = {
    type: 'tool_call' as const,
    id: call.id,
    name: call.name,
    args: call.args as Record<string, unknown>,
  }
  return (await tool.invoke(input, { signal })) as ToolMessage
}

class UnknownTool extends Error {}

interface Failure {
  readonly outcome: 'failed' | 'refused' | 'bad-call'
  readonly refusedKind: CallResult['refusedKind']
  readonly errorClass: string
  /** For the trace; `text` is for the agent. */
  readonly trace: string
  readonly text: string
  readonly infrastructure: boolean
  /** Whether it is one of usage.toolErrors. */
  readonly counts: boolean
  /** What the attempt ends with; null: it goes on. */
  readonly fatal: unknown
}

function failureOf(error: unknown, run: AttemptRun, notes: LoopNotes): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const plain = {
    outcome: 'failed' as const,
    refusedKind: null,
    trace: message,
    text: message,
    infrastructure: false,
    counts: true,
    fatal: null,
  }
  if (run.signal.aborted)
    return { ...plain, errorClass: 'cancelled', counts: false, fatal: run.signal.reason }
  if (run.toolSignal.aborted) return { ...plain, errorClass: 'timeout', counts: false, text: notes.timeIsUp }
  if (error instanceof BudgetRefusedError) {
    const refusedKind = error.kind === 'searchCalls' || error.kind === 'fetchCalls' ? error.kind : 'usd'
    const text = notes.refused[refusedKind]
    return { ...plain, outcome: 'refused', refusedKind, errorClass: 'budget', counts: false, text }
  }
  if (isFatalToRun(error)) return { ...plain, errorClass: 'crash', infrastructure: true, fatal: error }
  if (error instanceof ToolError) {
    const ends = error.errorClass === 'replay-miss' && run.environment.onReplayMiss === 'end'
    const fatal = ends ? new ReplayMiss(message, { cause: error }) : null
    const { errorClass, infrastructure } = error
    return { ...plain, errorClass, infrastructure, text: `Error (${errorClass}): ${message}`, fatal }
  }
  if (error instanceof UnknownTool) return { ...plain, outcome: 'bad-call', errorClass: 'bad-input' }
  if (error instanceof ToolInputParsingException)
    return { ...plain, outcome: 'bad-call', errorClass: 'bad-input', text: `Error (bad-input): ${message}` }
  if (error instanceof ProviderError)
    return { ...plain, errorClass: error.reason, infrastructure: true, fatal: error }
  const crash = new ToolCrash('a tool crashed', { cause: error })
  const trace = error instanceof Error ? (error.stack ?? message) : message
  return { ...plain, errorClass: 'crash', infrastructure: true, trace, fatal: crash }
}

const reasons: readonly ProviderReason[] = ['rate-limited', 'unavailable', 'timeout', 'auth', 'bad-response']

function providerFailure(reason: string, what: string): ProviderError {
  const known = reasons.find(candidate => candidate === reason) ?? 'unavailable'
  return new ProviderError(known, `${what}: the search service kept failing (${reason})`, {
    retryable: false,
  })
}
