import type { TraceEvent } from '../../logs/events.ts'
import { canonicalJson, sha256 } from '../core/hash.ts'

/** How many model turns back `lastActions` looks. */
export const lastStepsCounted = 10
const repeatsOfALoop = 3
/** CONTRACT, No progress: so many model turns without a new query, address or text. */
const idleTurnsOfALoop = 8

/** A stretch of a trace in which the agent came no further. */
export interface Loop {
  readonly attemptId: string
  readonly kind: 'same-call' | 'nothing-new'
  /** The call that was repeated, as `tool {args}`; '' where nothing new came of many. */
  readonly what: string
  readonly times: number
  readonly firstStep: number
  readonly lastStep: number
}

/** What an event did, in a word or two; null for those that only keep the books. */
function actionOf(event: TraceEvent): string | null {
  switch (event.type) {
    case 'tool-called':
      return `called ${event.tool}`
    case 'tool-failed':
      return `${event.tool} failed: ${event.errorClass}`
    case 'budget-refused':
      return `refused: ${event.kind}`
    case 'provider-retried':
      return `retried: ${event.reason}`
    case 'model-answered':
      if (event.malformedCalls.length > 0) return 'malformed call'
      return event.toolCalls.length === 0 ? 'answered without a call' : null
    default:
      return null
  }
}

/** How often each thing was done in the last ten steps of a trace. */
export function lastActions(events: readonly TraceEvent[]): Map<string, number> {
  const lastStep = events.reduce((last, event) => Math.max(last, event.step), 0)
  const counts = new Map<string, number>()
  for (const event of events) {
    const action = event.step > lastStep - lastStepsCounted ? actionOf(event) : null
    if (action !== null) counts.set(action, (counts.get(action) ?? 0) + 1)
  }
  return counts
}

function repeatedCalls(attemptId: string, events: readonly TraceEvent[]): Loop[] {
  const calls = new Map<string, number[]>()
  for (const event of events) {
    if (event.type !== 'tool-called') continue
    const call = `${event.tool} ${canonicalJson(event.args)}`
    calls.set(call, [...(calls.get(call) ?? []), event.step])
  }
  return [...calls]
    .filter(([, steps]) => steps.length >= repeatsOfALoop)
    .map(([what, steps]) => ({
      attemptId,
      kind: 'same-call' as const,
      what: what.length > 200 ? `${what.slice(0, 199)}…` : what,
      times: steps.length,
      firstStep: steps[0] ?? 0,
      lastStep: steps.at(-1) ?? 0,
    }))
}

/** What an event brought that can be new: the calls asked for and the texts shown. */
function newsOf(event: TraceEvent): string[] {
  if (event.type === 'tool-called') return [`call ${event.tool} ${canonicalJson(event.args)}`]
  if (event.type !== 'tool-answered') return []
  return [`text ${'blob' in event.text ? event.text.blob : sha256(event.text.text)}`]
}

function idleStretches(attemptId: string, events: readonly TraceEvent[]): Loop[] {
  const seen = new Set<string>()
  const newAt = new Set<number>()
  for (const event of events) {
    for (const news of newsOf(event)) {
      if (!seen.has(news)) newAt.add(event.step)
      seen.add(news)
    }
  }
  const lastStep = events.reduce((last, event) => Math.max(last, event.step), 0)
  const loops: Loop[] = []
  let from = 1
  for (let step = 1; step <= lastStep + 1; step++) {
    if (step <= lastStep && !newAt.has(step)) continue
    const times = step - from
    if (times >= idleTurnsOfALoop) {
      loops.push({ attemptId, kind: 'nothing-new', what: '', times, firstStep: from, lastStep: step - 1 })
    }
    from = step + 1
  }
  return loops
}

/** The loops of a trace: a call made three times or more, eight turns or more that brought nothing new. */
export function loopsOf(attemptId: string, events: readonly TraceEvent[]): Loop[] {
  return [...repeatedCalls(attemptId, events), ...idleStretches(attemptId, events)]
}
