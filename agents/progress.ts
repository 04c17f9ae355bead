import { canonicalJson, sha256 } from '../src/system/hash.ts'
import { writeCanonicalUrl } from '../src/text/canonical-url.ts'

/** A tool call that was executed. Calls that the budget refused are not included. */
interface ExecutedCall {
  readonly key: string
  readonly args: unknown
  /** The returned text; null when the call failed. */
  readonly text: string | null
}

/** The state of the agent after a turn. `tell-…` asks for a note to the agent; `stuck` ends the attempt. */
type ProgressCheck = 'going' | 'tell-no-progress' | 'tell-same-call' | 'stuck'

/** The default of --no-progress: after this many turns without a new query, URL or text, the agent gets a note. */
export const defaultNoProgressTurns = 8
const sameCalls = 3

/** Detects an agent that repeats itself. It gets one note; the next time ends the attempt. */
export interface ProgressWatch {
  /** Evaluates a turn that called tools. Calls that the budget refused must be left out. */
  turn(calls: readonly ExecutedCall[]): ProgressCheck
  /** Forgets a call whose result was shortened, because calling again is useful then. */
  forget(callKey: string, text: string): void
}

/** Returns a key that is equal for equal calls. */
export function callKey(tool: string, args: unknown): string {
  return `${tool} ${canonicalJson(args ?? null)}`
}

/** Returns how many turns without progress are accepted, from the options of the setting; null for any number. */
export function readNoProgressTurns(options: Readonly<Record<string, unknown>>): number | null {
  const { noProgress } = options
  if (noProgress === 'off') return null
  return typeof noProgress === 'number' ? noProgress : defaultNoProgressTurns
}

const neverStuck: ProgressWatch = { turn: () => 'going', forget: () => undefined }

/**
 * Creates the watch of one question (docs/online.md).
 *
 * @param staleTurns - the turns without a new query, URL or text after which the agent gets a note; null to never stop
 *   it
 */
export function createProgressWatch(staleTurns: number | null): ProgressWatch {
  if (staleTurns === null) return neverStuck
  const seenFacts = new Set<string>()
  const timesCalled = new Map<string, number>()
  let stale = 0
  let isWarned = false
  const isNew = (fact: string): boolean => {
    if (seenFacts.has(fact)) return false
    seenFacts.add(fact)
    return true
  }
  return {
    turn(calls) {
      let fresh = false
      let repeated = false
      for (const call of calls) {
        for (const fact of listFacts(call)) if (isNew(fact)) fresh = true
        const times = (timesCalled.get(call.key) ?? 0) + 1
        timesCalled.set(call.key, times)
        if (times >= sameCalls) repeated = true
      }
      stale = fresh ? 0 : stale + 1
      if (!repeated && stale < staleTurns) return 'going'
      if (isWarned) return 'stuck'
      isWarned = true
      return repeated ? 'tell-same-call' : 'tell-no-progress'
    },
    forget(key, text) {
      timesCalled.delete(key)
      seenFacts.delete(textFact(text))
    },
  }
}

function listFacts(call: ExecutedCall): string[] {
  const facts: string[] = []
  collect(call.args, '', facts)
  if (call.text !== null && call.text !== '') facts.push(textFact(call.text))
  return facts
}

function textFact(text: string): string {
  return `text ${sha256(text)}`
}

/** Collects queries and URLs at any depth of the arguments. */
function collect(value: unknown, name: string, facts: string[]): void {
  if (typeof value === 'string') {
    const url = writeCanonicalUrl(value)
    if (url !== null) facts.push(`url ${url}`)
    else if (/^(?:q|query|queries)$/i.test(name))
      facts.push(`query ${value.trim().toLowerCase().replace(/\s+/g, ' ')}`)
    return
  }
  if (Array.isArray(value)) for (const item of value) collect(item, name, facts)
  else if (value !== null && typeof value === 'object')
    for (const [key, item] of Object.entries(value)) collect(item, key, facts)
}
