import type { TraceEvent } from '../../../logs/events.ts'
import { canonicalJson, sha256 } from '../../system/hash.ts'
import { clipText } from '../../text/plain-text.ts'

/** How many of the last steps `findLastActions` counts. */
const lastStepsCounted = 10
/** A call that is made this often is a loop. */
const minRepeats = 3
/** This many model turns without a new query, URL or text are a loop. It is the default of --no-progress. */
const minIdleTurns = 8

/** A part of a trace in which the agent made no progress. */
export interface Loop {
  readonly attemptId: string
  readonly kind: 'same-call' | 'nothing-new'
  /** The repeated call, as `tool {args}`. Empty for `nothing-new`. */
  readonly what: string
  readonly times: number
  readonly firstStep: number
  readonly lastStep: number
}

/** A tool call with its outcome. */
interface Call {
  readonly event: TraceEvent & { type: 'tool-called' }
  failed: string | null
  /** The budget that refused the call or a part of it. */
  refused: string | null
}

/** Maps events to their calls. The events of a call are consecutive, even when calls ran at the same time. */
function mapCalls(events: readonly TraceEvent[]): Map<TraceEvent, Call> {
  const calls = new Map<TraceEvent, Call>()
  const open = new Map<string, Call>()
  let last: Call | null = null
  for (const event of events) {
    if (event.type === 'tool-called') {
      last = { event, failed: null, refused: null }
      open.set(event.callId, last)
      calls.set(event, last)
    } else if (event.type === 'budget-refused' && last !== null) {
      last.refused = event.kind
      calls.set(event, last)
    } else if (event.type === 'tool-answered' || event.type === 'tool-failed') {
      const call = open.get(event.callId)
      if (call !== undefined && event.type === 'tool-failed') call.failed = event.errorClass
      open.delete(event.callId)
      last = null
    }
  }
  return calls
}

function isRefused(call: Call | undefined): boolean {
  return call?.failed === 'budget'
}

function callOutcome({ event, failed, refused }: Call): string {
  if (failed === 'budget') return `refused: ${refused ?? event.tool}`
  return failed === null ? `called ${event.tool}` : `${event.tool} failed: ${failed}`
}

/** Finish reasons of answers that the provider interrupted. */
const brokenOff: ReadonlySet<string> = new Set(['content_filter', 'error', 'abort'])

/** Describes what an event did in a few words. Returns null for bookkeeping and for events of a call already counted. */
function describeAction(event: TraceEvent, calls: ReadonlyMap<TraceEvent, Call>): string | null {
  const call = calls.get(event)
  if (call !== undefined) return event === call.event ? callOutcome(call) : null
  switch (event.type) {
    case 'budget-refused':
      return `refused: ${event.kind}`
    case 'provider-retried':
      return `retried: ${event.reason}`
    case 'model-answered':
      if (brokenOff.has(event.finishReason ?? '')) return `broken off: ${event.finishReason}`
      if (event.malformedCalls.length > 0) return 'malformed call'
      return event.toolCalls.length === 0 ? 'answered without a call' : null
    default:
      return null
  }
}

/** Counts the actions in the last ten steps of a trace. A call counts once, by its outcome. */
export function findLastActions(events: readonly TraceEvent[]): Map<string, number> {
  const calls = mapCalls(events)
  const lastStep = events.reduce((last, event) => Math.max(last, event.step), 0)
  const counts = new Map<string, number>()
  for (const event of events) {
    const action = event.step > lastStep - lastStepsCounted ? describeAction(event, calls) : null
    if (action !== null) counts.set(action, (counts.get(action) ?? 0) + 1)
  }
  return counts
}

type Calls = ReadonlyMap<TraceEvent, Call>

function findRepeatedCalls(attemptId: string, events: readonly TraceEvent[], allCalls: Calls): Loop[] {
  const calls = new Map<string, number[]>()
  for (const event of events) {
    if (event.type !== 'tool-called' || isRefused(allCalls.get(event))) continue
    const call = `${event.tool} ${canonicalJson(event.args)}`
    calls.set(call, [...(calls.get(call) ?? []), event.step])
  }
  return [...calls]
    .filter(([, steps]) => steps.length >= minRepeats)
    .map(([what, steps]) => ({
      attemptId,
      kind: 'same-call' as const,
      what: clipText(what, 200, 199),
      times: steps.length,
      firstStep: steps[0] ?? 0,
      lastStep: steps.at(-1) ?? 0,
    }))
}

/** Returns the parts of an event that can be new to the attempt: a call, or a text that was shown. */
function findNewParts(event: TraceEvent): string[] {
  if (event.type === 'tool-called') return [`call ${event.tool} ${canonicalJson(event.args)}`]
  if (event.type !== 'tool-answered') return []
  return [`text ${'blob' in event.text ? event.text.blob : sha256(event.text.text)}`]
}

/** Returns the steps in which every call was refused. They do not count as turns without progress. */
function findRefusedSteps(calls: Calls): Set<number> {
  const distinctCalls = [...new Set(calls.values())]
  const stepsWithCalls = new Set(distinctCalls.filter(call => !isRefused(call)).map(call => call.event.step))
  return new Set(distinctCalls.map(call => call.event.step).filter(step => !stepsWithCalls.has(step)))
}

function findIdleStretches(attemptId: string, events: readonly TraceEvent[], calls: Calls): Loop[] {
  const knownParts = new Set<string>()
  const newAt = new Set<number>()
  const refused = findRefusedSteps(calls)
  for (const event of events) {
    if (isRefused(calls.get(event))) continue
    for (const news of findNewParts(event)) {
      if (!knownParts.has(news)) newAt.add(event.step)
      knownParts.add(news)
    }
  }
  const lastStep = events.reduce((last, event) => Math.max(last, event.step), 0)
  const loops: Loop[] = []
  let idle: number[] = []
  for (let step = 1; step <= lastStep + 1; step++) {
    if (step <= lastStep && !newAt.has(step)) {
      if (!refused.has(step)) idle.push(step)
      continue
    }
    const [firstStep, last] = [idle[0], idle.at(-1)]
    if (idle.length >= minIdleTurns && firstStep !== undefined && last !== undefined) {
      const times = idle.length
      loops.push({ attemptId, kind: 'nothing-new', what: '', times, firstStep, lastStep: last })
    }
    idle = []
  }
  return loops
}

/**
 * Finds the loops of a trace: a call made three times or more, and eight or more turns without anything new. Refused
 * calls do not count.
 */
export function findLoops(attemptId: string, events: readonly TraceEvent[]): Loop[] {
  const calls = mapCalls(events)
  return [...findRepeatedCalls(attemptId, events, calls), ...findIdleStretches(attemptId, events, calls)]
}
