import type { TokenWeights } from '../../../agents/budget.ts'
import { passagesPerRequest } from '../../../agents/model-relevance.ts'
import { answersFromWeb, settings } from '../../../agents/registry.ts'
import { retrievers } from '../../../retrieval/registry.ts'
import type { RunConfig } from '../../config.ts'
import { type BudgetCaps, defaultOnlineCaps, type RunBudgetKind, type RunCaps } from '../../core/budget.ts'
import type { ModelHandle, TokenPrice } from '../../core/model.ts'
import { withoutNull } from '../../text/json.ts'

/** Returns the caps of an attempt in a setting: the given ones, and the defaults for the others. */
export function pickAttemptCaps(config: RunConfig, setting: string): BudgetCaps {
  const budgets = withoutNull({
    tokens: config.budgetTokens,
    modelCalls: config.budgetModelCalls,
    searchCalls: config.budgetSearchCalls,
    fetchCalls: config.budgetFetchCalls,
    wallMs: config.budgetWall,
    usd: config.budgetUsd,
  })
  return { ...(answersFromWeb(setting) ? defaultOnlineCaps : {}), ...budgets }
}

/** Returns the caps of all attempts together. A kind without a cap is absent. */
export function runCaps(config: RunConfig): RunCaps {
  const { runBudgetTokens: tokens, runBudgetUsd: usd, runBudgetSearchCalls: searchCalls } = config
  return withoutNull({ tokens, usd, searchCalls })
}

/** Returns the weights of tokens in budgets. */
export function readTokenWeights(config: RunConfig): TokenWeights {
  return { cachedInput: config.weightCachedInput, output: config.weightOutput }
}

/** The facts about a model on which the bound of its spending depends. */
interface PricedModel {
  readonly contextWindow: number | null
  readonly price: TokenPrice | null
}

/** Returns all caps of a run, for its manifest. */
export function listAllCaps(config: RunConfig): Record<string, unknown> {
  const settings = config.setting.map(setting => [setting, pickAttemptCaps(config, setting)])
  return {
    attempt: Object.fromEntries(settings),
    run: runCaps(config),
    tokenWeights: readTokenWeights(config),
  }
}

/**
 * Returns the most that an attempt can spend. Without a cap, the bound follows from the setting. offline and
 * rag make one request that fills at most the context window, and no search. rag makes one more for queries
 * by column, and one for each batch of passages that the model rates.
 *
 * @param searchUsd US dollars per search; null when unknown
 * @returns null for a kind without a known bound
 */
export function readMaxSpending(
  config: RunConfig,
  setting: string,
  model: PricedModel,
  searchUsd: number | null,
): Record<RunBudgetKind, number | null> {
  const caps = pickAttemptCaps(config, setting)
  const weights = readTokenWeights(config)
  const heaviest = Math.max(1, weights.cachedInput, weights.output)
  const online = answersFromWeb(setting)
  const window = online || model.contextWindow === null ? null : model.contextWindow
  const requests = countRequests(config, setting)
  const bound = window === null || requests === null ? null : Math.ceil(window * heaviest) * requests
  const tokens = caps.tokens ?? bound
  const searchCalls = online ? (caps.searchCalls ?? null) : 0
  return { tokens, searchCalls, usd: caps.usd ?? mostUsd(tokens, searchCalls) }

  function mostUsd(weighted: number | null, searches: number | null): number | null {
    if (searches === null || model.price === null || (searches > 0 && searchUsd === null)) return null
    const ofSearches = searches * (searchUsd ?? 0)
    const dearest = Math.max(model.price.input, model.price.cachedInput, model.price.output)
    if (dearest === 0) return ofSearches
    const lightest = Math.min(1, weights.cachedInput, weights.output)
    if (weighted === null || lightest === 0) return null
    return ((weighted / lightest) * dearest) / 1e6 + ofSearches
  }
}

/**
 * Returns a model with the price of the dearer one of both, because any part of an attempt's tokens may be the
 * reader's (`--goal-reading`).
 */
export function withReaderPrice(model: PricedModel, reader: ModelHandle | null): PricedModel {
  if (reader === null) return model
  const [modelPrice, readerPrice] = [model.price, reader.price]
  const dearer = (kind: 'cachedInput' | 'input' | 'output'): number =>
    Math.max(modelPrice![kind], readerPrice![kind])
  const isKnown = modelPrice !== null && readerPrice !== null
  const price = isKnown
    ? { ...modelPrice, input: dearer('input'), cachedInput: dearer('cachedInput'), output: dearer('output') }
    : null
  return { contextWindow: model.contextWindow, price }
}

/** Returns the number of requests of an attempt; null when unknown, because each column may need ratings. */
function countRequests(config: RunConfig, setting: string): number | null {
  if (setting !== 'rag') return settings.get(setting).needs?.mostRequests ?? 1
  const byColumn = config.ragQuery === 'column'
  const rated = Math.max(0, ...config.retriever.map(name => retrievers.get(name).ratedPassages ?? 0))
  if (byColumn && rated > 0) return null
  return 1 + (byColumn ? 1 : 0) + Math.ceil(rated / passagesPerRequest)
}
