import { canonicalJson, sha256 } from '../src/system/hash.ts'
import { canonicalUrl } from '../src/text/canonical-url.ts'

/** A call that was carried out (one that the budget refused is none of them). */
export interface MadeCall {
  readonly key: string
  readonly args: unknown
  /** What came back; null where the call failed. */
  readonly text: string | null
}

export type Progress = 'going' | 'tell-no-progress' | 'tell-same-call' | 'stuck'

/** Turns without a new query, URL or text after which the agent is told. */
const staleTurns = 8
const sameCalls = 3

/** Notices an agent that goes round in circles: it is told once; the next time is the end. */
export interface ProgressWatch {
  /** After each turn that called tools; calls that only the budget refused do not count. */
  turn(calls: readonly MadeCall[]): Progress
  /** A result was shortened, so that calling again brings something back. */
  forget(callKey: string, text: string): void
}

export function callKey(tool: string, args: unknown): string {
  return `${tool} ${canonicalJson(args ?? null)}`
}

export function createProgressWatch(): ProgressWatch {
  const seen = new Set<string>()
  const timesCalled = new Map<string, number>()
  let stale = 0
  let told = false
  const isNew = (fact: string): boolean => {
    if (seen.has(fact)) return false
    seen.add(fact)
    return true
  }
  return {
    turn(calls) {
      let fresh = false
      let repeated = false
      for (const call of calls) {
        for (const fact of factsOf(call)) if (isNew(fact)) fresh = true
        const times = (timesCalled.get(call.key) ?? 0) + 1
        timesCalled.set(call.key, times)
        if (times >= sameCalls) repeated = true
      }
      stale = fresh ? 0 : stale + 1
      if (!repeated && stale < staleTurns) return 'going'
      if (told) return 'stuck'
      told = true
      return repeated ? 'tell-same-call' : 'tell-no-progress'
    },
    forget(key, text) {
      timesCalled.delete(key)
      seen.delete(textFact(text))
    },
  }
}

function factsOf(call: MadeCall): string[] {
  const facts: string[] = []
  collect(call.args, '', facts)
  if (call.text !== null && call.text !== '') facts.push(textFact(call.text))
  return facts
}

function textFact(text: string): string {
  return `text ${sha256(text)}`
}

/** Queries and URLs wherever they stand in the arguments. */
function collect(value: unknown, name: string, facts: string[]): void {
  if (typeof value === 'string') {
    const url = canonicalUrl(value)
    if (url !== null) facts.push(`url ${url}`)
    else if (/^(?:q|query|queries)$/i.test(name))
      facts.push(`query ${value.trim().toLowerCase().replace(/\s+/g, ' ')}`)
    return
  }
  if (Array.isArray(value)) for (const item of value) collect(item, name, facts)
  else if (value !== null && typeof value === 'object')
    for (const [key, item] of Object.entries(value)) collect(item, key, facts)
}
