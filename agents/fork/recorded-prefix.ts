import type { EventType, TraceEvent } from '../../logs/events.ts'
import { DataError } from '../../src/core/errors.ts'
import type { TokenPrice } from '../../src/core/model.ts'
import type { Usage } from '../../src/core/usage.ts'
import { proxyCall } from '../../tools/registry.ts'
import { UsageTally } from '../usage.ts'

type Traced<T extends EventType> = Extract<TraceEvent, { type: T }>

/** A model request of a trace, and how it ended. A request that was repeated after a failure counts once. */
interface RecordedRequest {
  readonly called: Traced<'model-called'>
  /** Null when the request failed and was not repeated. */
  answered: Traced<'model-answered'> | null
}

/** A tool call of a trace: what it charged, and how it ended. */
export interface RecordedCall {
  readonly step: number
  readonly called: Traced<'tool-called'>
  /** The searches and fetches that it charged or was refused, in order. */
  readonly charges: readonly (Traced<'budget-charged'> | Traced<'budget-refused'>)[]
  readonly ended: Traced<'tool-answered'> | Traced<'tool-failed'>
}

/** The part of a trace before a fork, in the form in which it is replayed. */
export interface RecordedPrefix {
  /** The first model turn that is not replayed. */
  readonly atStep: number
  readonly requests: readonly RecordedRequest[]
  /** By the ids of the calls. */
  readonly calls: ReadonlyMap<string, RecordedCall>
  /** The events that a replay must repeat: requests, calls, and changes of the conversation. */
  readonly steps: readonly TraceEvent[]
  /** Every event of the prefix. */
  readonly events: readonly TraceEvent[]
  /** The time in which the prefix was recorded. */
  readonly wallMs: number
}

/** The prices by which the recorded part is valued. */
interface ReplayPrices {
  readonly price: TokenPrice | null
  readonly searchUsd: number | null
  readonly fetchUsd: number | null
}

/** Returns the number of model turns in a trace. */
export function countTurns(events: readonly TraceEvent[]): number {
  return events.reduce((most, { type, step }) => (type === 'model-called' ? Math.max(most, step) : most), 0)
}

/**
 * Reads the turns of a trace before a step.
 *
 * @param place the name of the attempt, for messages
 * @param atStep the first model turn that is not replayed, from 1 to one more than the last turn
 * @throws DataError [fork-step, fork-no-messages, fork-goal-reading, fork-proxy, fork-no-result]
 */
export function readPrefix(events: readonly TraceEvent[], atStep: number, place: string): RecordedPrefix {
  const turns = countTurns(events)
  if (turns === 0) throw withoutMessages(place, 'has no request of a model')
  if (atStep < 1 || atStep > turns)
    throw new DataError(
      `${place}: step ${atStep} is not in its trace, which has the steps 1 to ${turns}. Choose one of them.`,
      { code: 'fork-step' },
    )
  // The last events of a trace, such as its termination, belong to earlier steps.
  const end = events.findIndex(({ step }) => step >= atStep)
  const prefix = events.slice(0, end).filter(({ type }) => type !== 'attempt-started')
  const goal = prefix.find(({ type }) => type === 'page-read-for-goal')
  if (goal !== undefined)
    throw new DataError(
      `${place}: a model read a page for a goal at step ${goal.step} (--goal-reading), which cannot be replayed. Choose a step up to ${goal.step}.`,
      { code: 'fork-goal-reading' },
    )
  const direct = prefix.find(event => event.type === 'tool-called' && event.tool === proxyCall)
  if (direct !== undefined)
    throw new DataError(
      `${place}: the agent opened a page by itself at step ${direct.step} (--agent-proxy). Traces do not contain such pages, so they cannot be replayed. Choose a step up to ${direct.step}.`,
      { code: 'fork-proxy' },
    )
  const requests = listRequests(prefix)
  if (requests.some(({ called }) => called.messages.length === 0 && called.step === 1))
    throw withoutMessages(place, 'does not contain the messages of the model')
  const calls = listCalls(prefix)
  const open = prefix.find(event => event.type === 'tool-called' && !calls.has(event.callId))
  if (open?.type === 'tool-called')
    throw new DataError(
      `${place}: the trace has no result of the call of ${open.tool} in step ${open.step}, which cannot be replayed. Choose a step up to ${open.step}.`,
      { code: 'fork-no-result' },
    )
  const requestEvents = new Set<TraceEvent>(requests.map(({ called }) => called))
  const steps = prefix.filter(
    event => event.type === 'context-cut' || event.type === 'tool-called' || requestEvents.has(event),
  )
  return {
    atStep,
    requests,
    calls,
    steps,
    events: prefix,
    wallMs: measureTime(events.slice(0, end)),
  }
}

/**
 * Refuses the prefix of an imported log in which the agent answered and went on, such as a conversation with several
 * questions: our agent ends at an answer.
 *
 * @param place the name of the attempt, for messages
 * @throws DataError [fork-conversation]
 */
export function requireNoAnswer({ requests }: RecordedPrefix, place: string): void {
  const isAnswer = ({ answered }: RecordedRequest): boolean =>
    answered !== null &&
    answered.toolCalls.length + answered.malformedCalls.length === 0 &&
    !('text' in answered.text && answered.text.text.trim() === '')
  const step = requests.find(isAnswer)?.called.step
  if (step === undefined) return
  throw new DataError(
    `${place}: the agent answered without a call in step ${step}, and the log goes on. A fork ends at an answer. Choose a step up to ${step}.`,
    { code: 'fork-conversation' },
  )
}

/**
 * The time in which events were recorded. The trace of a fork begins with what was recorded before it, perhaps days earlier, so
 * that only the time within steps counts there.
 */
function measureTime(events: readonly TraceEvent[]): number {
  const times = events.map(({ at }) => Date.parse(at))
  const isOfFork = times.some((time, index) => time < (times[index - 1] ?? time))
  return times.reduce((sum, time, index) => {
    const isCounted = !isOfFork || events[index]!.step === events[index - 1]?.step
    return isCounted ? sum + Math.max(0, time - (times[index - 1] ?? time)) : sum
  }, 0)
}

function withoutMessages(place: string, problem: string): DataError {
  return new DataError(
    `${place}: its trace ${problem}, so that it cannot be replayed. Fork an attempt whose trace has them.`,
    { code: 'fork-no-messages' },
  )
}

/** Lists the requests. The messages of a request that was repeated are in its first try. */
function listRequests(events: readonly TraceEvent[]): RecordedRequest[] {
  const requests: RecordedRequest[] = []
  let isRepeated = false
  for (const event of events) {
    if (event.type === 'provider-retried' && event.what === 'model call') isRepeated = true
    if (event.type === 'model-called') {
      if (!isRepeated) requests.push({ called: event, answered: null })
      isRepeated = false
    }
    const last = requests.at(-1)
    if (event.type === 'model-answered' && last !== undefined) last.answered = event
  }
  return requests
}

/** Lists the calls that ended. A charge belongs to the call that began last. */
function listCalls(events: readonly TraceEvent[]): Map<string, RecordedCall> {
  const startedCalls = new Map<string, Traced<'tool-called'>>()
  const charges = new Map<string, RecordedCall['charges'][number][]>()
  const calls = new Map<string, RecordedCall>()
  let last: string | null = null
  for (const event of events) {
    if (event.type === 'tool-called') {
      last = event.callId
      startedCalls.set(last, event)
      charges.set(last, [])
    }
    const isCharge = event.type === 'budget-charged' || event.type === 'budget-refused'
    if (isCharge && (event.kind === 'searchCalls' || event.kind === 'fetchCalls') && last !== null)
      charges.get(last)!.push(event)
    if (event.type !== 'tool-answered' && event.type !== 'tool-failed') continue
    const called = startedCalls.get(event.callId)
    if (called !== undefined)
      calls.set(event.callId, {
        step: called.step,
        called,
        charges: charges.get(event.callId)!,
        ended: event,
      })
  }
  return calls
}

/** Error classes of calls that the budget refused or that were given up, which are no errors of a tool. */
const harmlessClasses: ReadonlySet<string> = new Set(['budget', 'cancelled'])

/** Adds up what the recorded part of an attempt used, as the attempt itself counted it. */
export function sumReplayed({ requests, events }: RecordedPrefix, prices: ReplayPrices): Usage {
  const tally = new UsageTally()
  const charged = { searchCalls: 0, fetchCalls: 0 }
  for (const { answered } of requests) {
    tally.modelCalled()
    if (answered !== null) tally.modelAnswered(answered.usage)
  }
  for (const event of events) {
    if (event.type === 'tool-failed' && !harmlessClasses.has(event.errorClass)) tally.toolFailed()
    if (event.type === 'budget-charged' && event.kind in charged)
      charged[event.kind as keyof typeof charged] += event.amount
  }
  return tally.total({ ...charged, ...prices, wallMs: 0 })
}
