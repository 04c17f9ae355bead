import type { ToolMessage } from '@langchain/core/messages'
import { type StructuredToolInterface, ToolInputParsingException } from '@langchain/core/tools'
import PQueue from 'p-queue'
import { storedText } from '../logs/blobs.ts'
import type { EventBody } from '../logs/events.ts'
import { BudgetRefusedError, ProviderError, type ProviderReason, ToolError } from '../src/core/errors.ts'
import type { AskedCall } from '../src/models/model-answer.ts'
import { messageText } from '../src/models/model-answer.ts'
import { untilAborted } from '../src/system/retry.ts'
import { isFatalToRun } from '../src/system/system-errors.ts'
import { closeTools } from '../tools/registry.ts'
import { NotShownError, type ToolArtifact, type ToolEnvironment } from '../tools/tool.ts'
import type { AttemptRun } from './attempt-run.ts'
import type { CallEvents } from './call-events.ts'
import { createGoalReader } from './goal-reader.ts'
import { callKey } from './progress.ts'
import type { LoopNotes } from './prompts/notes.ts'
import { Diverged, ReplayMiss, ToolCrash } from './termination.ts'

/** The result of one call. `bad-call` means an unknown tool or invalid arguments. */
export interface CallResult {
  readonly call: AskedCall
  readonly key: string
  readonly outcome: 'answered' | 'failed' | 'refused' | 'bad-call'
  /** The kind of budget that refused the call; null unless it was refused. */
  readonly refusedKind: 'searchCalls' | 'fetchCalls' | 'usd' | null
  /** The text that the agent sees. */
  readonly text: string
  /** What the tool found, for clients that are answered in another form than text. Absent unless answered. */
  readonly artifact?: ToolArtifact
}

/** What a call does: it returns the text for the agent and what the trace and discovery use. */
export type CallWork = (environment: ToolEnvironment) => Promise<readonly [string, ToolArtifact]>

/** The tools of one attempt. */
export interface Toolbox {
  readonly tools: readonly StructuredToolInterface[]
  /**
   * Executes the calls of a turn, in parallel when the budgets allow it.
   *
   * @returns the results in the order of the calls
   * @throws ProviderError (the search service is down), ToolCrash, ReplayMiss, or the abort reason of the attempt
   */
  call(calls: readonly AskedCall[]): Promise<CallResult[]>
  /**
   * Executes one call by work that is not a tool of the model, with the same events, failures and charges as a tool.
   *
   * @throws as `call` does
   */
  perform(call: AskedCall, work: CallWork): Promise<CallResult>
  /** Closes what the tools hold open, such as pages in the browser. */
  close(): Promise<void>
}

const maxParallelCalls = 8
/**
 * The number of charges that one call may need (several queries, retries). Close to a cap, calls run one after another, so
 * that the same calls are refused every time.
 */
const chargesPerCall = 5

/** Creates the tools of one attempt. The caller must call `close`. */
export function openToolbox(run: AttemptRun, events: CallEvents, notes: LoopNotes): Toolbox {
  const failedSearches = new Map<string, string>()
  const toolEnvironment = createToolEnvironment(run, events, notes, failedSearches)
  const tools = run.environment.tools(toolEnvironment)
  const byName = new Map(tools.map(tool => [tool.name, tool]))
  const caller: ToolCaller = { run, events, notes, byName }
  return {
    tools,
    async call(calls) {
      const settled = await Promise.allSettled(
        // The events of a single call need no ordering.
        calls.length === 1 ? [callOne(caller, calls[0]!)] : callInParallel(caller, calls),
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
    perform: (call, work) =>
      settleCall(caller, call, async () => {
        const [text, artifact] = await work(toolEnvironment)
        return { text, artifact }
      }),
    close: () => closeTools(toolEnvironment),
  }
}

/**
 * @param failedSearches - the reasons of searches that failed and are tried again. If the budget refuses the retry, the
 *   failure of the provider is reported
 */
function createToolEnvironment(
  run: AttemptRun,
  events: CallEvents,
  notes: LoopNotes,
  failedSearches: Map<string, string>,
): ToolEnvironment {
  const { environment } = run
  const lastKind = new Map<string, string>()
  const reader = environment.goalReader?.()
  return {
    ...environment.sharedToolEnvironment,
    ...(reader === undefined ? {} : { goalReader: createGoalReader(run, reader, events, notes.reader) }),
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
}

/** The state that each call of an attempt needs. */
interface ToolCaller {
  readonly run: AttemptRun
  readonly events: CallEvents
  readonly notes: LoopNotes
  readonly byName: ReadonlyMap<string, StructuredToolInterface>
}

function callInParallel(caller: ToolCaller, calls: readonly AskedCall[]): Promise<CallResult>[] {
  const { run, events } = caller
  const queue = new PQueue({ concurrency: canRunInParallel(run, calls.length) ? maxParallelCalls : 1 })
  return calls.map((call, index) => queue.add(() => events.run(index, () => callOne(caller, call))))
}

function canRunInParallel(run: AttemptRun, calls: number): boolean {
  const { meter, environment } = run
  if (meter.left('usd') !== null || environment.goalReader !== undefined) return false
  const kinds = ['searchCalls', 'fetchCalls'] as const
  return kinds.every(kind => (meter.left(kind) ?? Number.POSITIVE_INFINITY) >= calls * chargesPerCall)
}

async function callOne(caller: ToolCaller, call: AskedCall): Promise<CallResult> {
  const { run, notes, byName } = caller
  const tool = byName.get(call.name)
  return await settleCall(caller, call, async () => {
    if (tool === undefined) throw new UnknownTool(notes.unknownTool(call.name, [...byName.keys()].join(', ')))
    const message = await invoke(tool, call, run.toolSignal)
    return { text: messageText(message), artifact: message.artifact as ToolArtifact | undefined }
  })
}

interface CallAnswer {
  readonly text: string
  readonly artifact: ToolArtifact | undefined
}

/** Does the work of one call and writes its events. */
async function settleCall(
  { run, events, notes }: ToolCaller,
  call: AskedCall,
  work: () => Promise<CallAnswer>,
): Promise<CallResult> {
  const { clock, keepText } = run.environment
  const startedAt = clock.now()
  const wallMs = (): number => Math.max(0, Math.round(clock.now() - startedAt))
  events.file(() => run.emit({ type: 'tool-called', callId: call.id, tool: call.name, args: call.args }))
  const key = callKey(call.name, call.args)
  try {
    const { text, artifact } = await untilAborted(work(), run.toolSignal)
    const answeredMs = wallMs()
    events.file(() =>
      run.emit(answeredEvent(call, storedText(text, { put: keepText }), artifact, answeredMs)),
    )
    return {
      call,
      key,
      outcome: 'answered',
      refusedKind: null,
      text,
      ...(artifact === undefined ? {} : { artifact }),
    }
  } catch (error) {
    const failure = describeFailure(error, run, notes)
    if (failure.counts) run.usage.toolFailed()
    const event = failedEvent(call, failure, error, wallMs())
    events.file(() => run.emit(event))
    if (failure.fatal !== null) throw failure.fatal
    const { outcome, refusedKind, text } = failure
    return { call, key, outcome, refusedKind, text }
  }
}

function answeredEvent(
  call: AskedCall,
  text: ReturnType<typeof storedText>,
  artifact: ToolArtifact | undefined,
  wallMs: number,
): EventBody {
  return {
    type: 'tool-answered',
    callId: call.id,
    tool: call.name,
    text,
    truncated: artifact?.truncated ?? false,
    observations: [...(artifact?.observations ?? [])],
    wallMs,
  }
}

function failedEvent(
  call: AskedCall,
  { errorClass, infrastructure, trace }: Failure,
  error: unknown,
  wallMs: number,
): EventBody {
  const observations = error instanceof NotShownError ? { observations: [...error.observations] } : {}
  return {
    type: 'tool-failed',
    callId: call.id,
    tool: call.name,
    errorClass,
    message: trace,
    infrastructure,
    ...observations,
    wallMs,
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
  /** The message for the trace. `text` is for the agent. */
  readonly trace: string
  readonly text: string
  readonly infrastructure: boolean
  /** Whether it counts towards usage.toolErrors. */
  readonly counts: boolean
  /** The error that ends the attempt; null when it continues. */
  readonly fatal: unknown
}

function describeFailure(error: unknown, run: AttemptRun, notes: LoopNotes): Failure {
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
  if (isFatalToRun(error) || error instanceof Diverged)
    return { ...plain, errorClass: 'crash', infrastructure: true, fatal: error }
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
  const providerReason = reasons.find(candidate => candidate === reason) ?? 'unavailable'
  return new ProviderError(providerReason, `${what}: the search service kept failing (${reason})`, {
    retryable: false,
  })
}
