import type { SettingEnvironment } from '../../../agents/setting.ts'
import type { Observation, StoredText } from '../../../logs/event-parts.ts'
import type { EventBody } from '../../../logs/events.ts'
import type { Trace } from '../../../logs/writer.ts'
import { toolKind } from '../../../tools/registry.ts'
import type { Attempt } from '../../core/attempt.ts'
import type { CallsInText, ToolFailures } from '../../core/usage.ts'
import type { FailedFetch } from '../../evidence/tried-addresses.ts'
import { isObject } from '../../text/json.ts'
import { type Checkpoint, makeCheckpoint, readCheckpointSpending } from '../records/checkpoint.ts'
import { LastRequest } from '../records/last-request.ts'
import type { Leak } from '../records/leaks.ts'

/** What a tool showed to the agent, kept in memory while the attempt runs. */
export interface ObservedResult {
  readonly step: number
  readonly text: StoredText
  readonly observations: readonly Observation[]
}

/** A leak without the attempt that it belongs to. */
export type FoundLeak = Omit<Leak, 'attemptId' | 'taskId' | 'setting'>

/** Counts the tool calls of a running attempt. */
interface ToolCallWatch {
  /** Receives the events of the setting. */
  readonly tell: SettingEnvironment['emit']
  /** Addresses that the agent could not open so far. */
  readonly failedFetches: readonly FailedFetch[]
  /** Counts of searches and fetches for the record; empty without any. */
  toolFailures(): Partial<Attempt>
}

/** Records the events of a running attempt in memory and in its trace. */
export interface AttemptWatch extends ToolCallWatch {
  /** Receives the events of the recorded part of a fork, which its trace does not repeat and nobody pays again. */
  readonly replayed: SettingEnvironment['emit']
  /** Counts a failure of the web or of our infrastructure, for which the agent is not responsible. */
  failed(): void
  /** Records a refused request for a page that publishes the answers. */
  blocked(source: { readonly url: string; readonly rule: string }): void
  /** What tools have returned so far, including pages that they opened and could not show. */
  readonly toolResults: readonly ObservedResult[]
  /** What the last request to the model contained. */
  readonly lastRequest: LastRequest
  /** The shadow answers at checkpoints so far. */
  readonly checkpoints: readonly Checkpoint[]
  /** The requests that the block list has refused so far. */
  readonly blockedLeaks: readonly FoundLeak[]
  infrastructureFailures(): number
  /** The tool calls that the model server left in the text, for the record; empty without any. */
  callsInText(): Partial<Attempt>
  /** What the attempt and its shadow answers have spent, as the run's budget counts it. */
  spent(): AttemptSpending
}

interface AttemptSpending {
  readonly tokens: number
  readonly usd: number
  readonly searchCalls: number
}

/** Starts to watch an attempt. */
export function watchAttempt(trace: Trace): AttemptWatch {
  const spent = { tokens: 0, usd: 0, searchCalls: 0 }
  const toolResults: ObservedResult[] = []
  const checkpoints: Checkpoint[] = []
  const blockedLeaks: FoundLeak[] = []
  const calls = watchToolCalls()
  const lastRequest = new LastRequest()
  let callsInText: CallsInText | null = null
  let failures = 0
  let lastStep = 0
  const follow: SettingEnvironment['emit'] = (step, event) => {
    lastStep = step
    calls.tell(step, event)
    lastRequest.tell(event)
    if (event.type === 'calls-left-in-text') callsInText = addCallsInText(callsInText, event)
    const result = readResult(step, event)
    if (result !== null) toolResults.push(result)
    if (event.type === 'tool-failed' && event.infrastructure) failures++
  }
  return {
    tell(step, event) {
      trace.emit(step, event)
      follow(step, event)
      if (event.type === 'budget-charged' && event.kind in spent)
        spent[event.kind as keyof AttemptSpending] += event.amount
      if (event.type !== 'checkpoint') return
      checkpoints.push(makeCheckpoint(event))
      const { tokens, usd } = readCheckpointSpending(event)
      spent.tokens += tokens
      spent.usd += usd
    },
    replayed: follow,
    failed() {
      failures++
    },
    blocked({ url, rule }) {
      const detail = `on the block list: ${rule}`
      blockedLeaks.push({ step: Math.max(1, lastStep), how: 'blocked', url, detail })
    },
    toolResults,
    lastRequest,
    failedFetches: calls.failedFetches,
    toolFailures: calls.toolFailures,
    callsInText: () => (callsInText === null ? {} : { callsInText }),
    checkpoints,
    blockedLeaks,
    infrastructureFailures: () => failures,
    spent: () => ({ ...spent }),
  }
}

/** Returns what a tool showed; null for other events, and for a call that received nothing. */
function readResult(step: number, event: EventBody): ObservedResult | null {
  if (event.type === 'tool-answered') return { step, text: event.text, observations: event.observations }
  if (event.type !== 'tool-failed' || event.observations === undefined) return null
  return { step, text: { text: '' }, observations: event.observations }
}

function addCallsInText(sum: CallsInText | null, { calls, unread, forms }: CallsInText): CallsInText {
  return {
    calls: (sum?.calls ?? 0) + calls,
    unread: (sum?.unread ?? 0) + unread,
    forms: [...new Set([...(sum?.forms ?? []), ...forms])].sort(),
  }
}

/** Error classes of calls that were not made, or whose result was not awaited. */
const notCounted: ReadonlySet<string> = new Set(['budget', 'cancelled'])

/**
 * Counts calls of search and fetch tools by how they ended. Reading another part of a page that was already fetched is not
 * charged and does not count as a fetch. Tools run one after the other, so a charge belongs to the last call.
 */
function watchToolCalls(): ToolCallWatch {
  const counts: ToolFailures = { search: { calls: 0, failed: {} }, fetch: { calls: 0, failed: {} } }
  const failedFetches: FailedFetch[] = []
  const urls = new Map<string, unknown>()
  let isCharged = false
  return {
    failedFetches,
    tell(step, event) {
      if (event.type === 'budget-charged' && event.kind === 'fetchCalls') isCharged = true
      if (event.type === 'tool-called') {
        urls.set(event.callId, isObject(event.args) ? event.args.url : undefined)
        isCharged = false
      }
      if (event.type !== 'tool-answered' && event.type !== 'tool-failed') return
      const kind = toolKind(event.tool)
      if (kind === null) return
      const failedBy = event.type === 'tool-failed' ? event.errorClass : null
      const url = urls.get(event.callId)
      // A call that received a body counts as opened, even if the body could not be shown.
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
