import { formatDollars } from '../../report/tables/value-text.ts'
import { formatCount, pickVerb } from '../../score/explain/wording.ts'
import type { ForkToPlan } from '../plan/fork-plan.ts'
import { readToolKind } from './fork-place.ts'
import type { SourceAttempt } from './source-run.ts'

/** What forks cost when each continues as its source did. */
export interface ForkEstimate {
  readonly forks: number
  readonly modelCalls: number
  readonly searchCalls: number
  readonly fetchCalls: number
  /** Null when the source did not report its tokens. */
  readonly tokens: number | null
  /** Null when the cost of the source is unknown. */
  readonly usd: number | null
}

/** Estimates what forks cost: what their sources used from the step of the fork on. */
export function estimateForks(
  forks: readonly ForkToPlan[],
  sources: ReadonlyMap<string, SourceAttempt>,
): ForkEstimate {
  const sum = { modelCalls: 0, searchCalls: 0, fetchCalls: 0 }
  let tokens: number | null = 0
  let usd: number | null = 0
  for (const { attemptId, atStep } of forks) {
    const source = sources.get(attemptId)!
    const amounts = { modelCalls: 0, searchCalls: 0, fetchCalls: 0, tokens: 0, usd: 0 }
    const events = source.events.filter(({ step }) => step >= atStep)
    const isCharged = source.events.some(({ type }) => type === 'budget-charged')
    for (const event of events) {
      if (event.type === 'budget-charged' && event.kind in amounts)
        amounts[event.kind as keyof typeof amounts] += event.amount
      // An imported log has no charges.
      if (isCharged) continue
      if (event.type === 'model-called') amounts.modelCalls += 1
      const kind = event.type === 'tool-called' ? readToolKind(event.tool) : null
      if (kind !== null) amounts[`${kind}Calls`] += 1
    }
    for (const kind of ['modelCalls', 'searchCalls', 'fetchCalls'] as const) sum[kind] += amounts[kind]
    const { usage } = source.attempt
    tokens = tokens === null || usage.inputTokens === null ? null : tokens + amounts.tokens
    usd = usd === null || usage.usd === null ? null : usd + amounts.usd
  }
  return { forks: forks.length, ...sum, tokens, usd }
}

/** Says what forks cost, one line each fact. */
export function estimateLines({
  forks,
  modelCalls,
  searchCalls,
  fetchCalls,
  tokens,
  usd,
}: ForkEstimate): string[] {
  const amounts = [
    formatCount(modelCalls, 'model call'),
    `${searchCalls} ${pickVerb(searchCalls, 'search', 'searches')}`,
    `${fetchCalls} ${pickVerb(fetchCalls, 'fetch', 'fetches')}`,
    tokens === null ? 'an unknown number of tokens' : formatCount(tokens, 'token'),
    usd === null ? 'cost unknown' : `about US$ ${formatDollars(usd)}`,
  ]
  return [
    `${formatCount(forks, 'fork')}. If each continues as its source did: ${amounts.join(', ')}.`,
    'What the sources did before the forks is replayed from their traces and costs nothing.',
  ]
}
