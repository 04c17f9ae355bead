import type { SettingEnvironment } from '../../../agents/setting.ts'
import type { EventBody } from '../../../logs/events.ts'
import type { Trace } from '../../../logs/writer.ts'
import { toolKindOf } from '../../../tools/registry.ts'
import type { Attempt, ToolFailures } from '../../core/attempt.ts'
import type { FailedFetch } from '../../evidence/tried-addresses.ts'
import { isObject } from '../../text/json.ts'
import { type Checkpoint, checkpointOf, spentOn } from '../records/checkpoint.ts'
import type { Leak } from '../records/leaks.ts'

/** What a tool showed of what it saw, kept while the attempt runs so that no file is read back. */
export type ToldEvent = { readonly step: number } & Pick<
  Extract<EventBody, { type: 'tool-answered' }>,
  'text' | 'observations'
>

/** A leak before it is known which attempt it belongs to. */
export type FoundLeak = Omit<Leak, 'attemptId' | 'taskId' | 'setting'>

/** What happens in an attempt while it runs, kept so that no file is read back, and written to its trace. */
export interface AttemptWatch {
  /** Takes the setting's events. */
  readonly tell: SettingEnvironment['emit']
  /** The web or our infrastructure failed, so that the agent could not have done better. */
  failed(): void
  /** A page that publishes the answers was asked for, and refused. */
  blocked(source: { readonly url: string; readonly rule: string }): void
  /** What tools answered so far, and what they got and could not show. */
  readonly told: readonly ToldEvent[]
  /** Addresses that the agent tried to open so far and got nothing from. */
  readonly failedFetches: readonly FailedFetch[]
  /** Texts of shadow answers at checkpoints so far; null where none came. */
  readonly checkpoints: readonly Checkpoint[]
  /** Requests that the block list refused so far. */
  readonly blockedLeaks: readonly FoundLeak[]
  infrastructureFailures(): number
  /** How searches and fetches went, as the record has it: empty where there were none. */
  toolFailures(): Pick<Attempt, 'toolFailures'>
  /** By the attempt, and by shadow answers beside it: what a whole run's budget counts. */
  spent(): Spent
}

interface Spent {
  readonly tokens: number
  readonly usd: number
  readonly searchCalls: number
}

export function watchAttempt(trace: Pick<Trace, 'emit'>): AttemptWatch {
  const spent = { tokens: 0, usd: 0, searchCalls: 0 }
  const told: ToldEvent[] = []
  const checkpoints: Checkpoint[] = []
  const blockedLeaks: FoundLeak[] = []
  const calls = watchToolCalls()
  let failures = 0
  let lastStep = 0
  return {
    tell(step, event) {
      lastStep = step
      trace.emit(step, event)
      calls.tell(step, event)
      if (event.type === 'budget-charged' && event.kind in spent)
        spent[event.kind as keyof Spent] += event.amount
      if (event.type === 'tool-answered')
        told.push({ step, text: event.text, observations: event.observations })
      if (event.type === 'tool-failed' && event.observations !== undefined)
        told.push({ step, text: { text: '' }, observations: event.observations })
      if (event.type === 'checkpoint') {
        checkpoints.push(checkpointOf(event))
        const { tokens, usd } = spentOn(event)
        spent.tokens += tokens
        spent.usd += usd
      }
      if (event.type === 'tool-failed' && event.infrastructure) failures++
    },
    failed() {
      failures++
    },
    blocked({ url, rule }) {
      const detail = `on the block list: ${rule}`
      blockedLeaks.push({ step: Math.max(1, lastStep), how: 'blocked', url, detail })
    },
    told,
    failedFetches: calls.failedFetches,
    toolFailures: calls.toolFailures,
    checkpoints,
    blockedLeaks,
    infrastructureFailures: () => failures,
    spent: () => ({ ...spent }),
  }
}

/** Calls that were not made, or that nobody waited for. */
const notCounted: ReadonlySet<string> = new Set(['budget', 'cancelled'])

/**
 * Counts calls of search and fetch tools by how they ended. Reading on in a page that the attempt already has is no fetch:
 * nothing was charged for it. Tools run one after the other, so that charges belong to the last call.
 */
function watchToolCalls(): Pick<AttemptWatch, 'failedFetches' | 'toolFailures'> & {
  tell(step: number, event: EventBody): void
} {
  const counts: ToolFailures = { search: { calls: 0, failed: {} }, fetch: { calls: 0, failed: {} } }
  const failedFetches: FailedFetch[] = []
  const urls = new Map<string, unknown>()
  let isCharged = false
  return {
    failedFetches,
    tell(step, event) {
      if (event.type === 'budget-charged' && event.kind === 'fetchCalls') isCharged = true
      if (event.type === 'tool-called') {
        urls.set(event.callId, urlIn(event.args))
        isCharged = false
      }
      if (event.type !== 'tool-answered' && event.type !== 'tool-failed') return
      const kind = toolKindOf(event.tool)
      if (kind === null) return
      const failedBy = event.type === 'tool-failed' ? event.errorClass : null
      const url = urls.get(event.callId)
      // What got a body is an opening, whatever of it could be shown.
      const gotNothing = event.type === 'tool-failed' && event.observations === undefined
      if (gotNothing && kind === 'fetch' && typeof url === 'string') failedFetches.push({ step, url })
      if (failedBy !== null && notCounted.has(failedBy)) return
      if (failedBy === null && kind === 'fetch' && !isCharged) return
      const count = counts[kind]
      count.calls += 1
      if (failedBy !== null) count.failed[failedBy] = (count.failed[failedBy] ?? 0) + 1
    },
    toolFailures: () => (counts.search.calls + counts.fetch.calls === 0 ? {} : { toolFailures: counts }),
  }
}

function urlIn(args: unknown): unknown {
  return isObject(args) ? args.url : undefined
}
