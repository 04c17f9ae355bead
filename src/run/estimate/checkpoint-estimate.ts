import type { RunConfig } from '../../config.ts'
import type { ModelHandle } from '../../core/model.ts'
import { pickAttemptCaps, readTokenWeights } from '../plan/caps.ts'
import { priceTokens, type Spending, sum } from './spending.ts'

/** Tokens that a conversation grows by per turn. A conversation of length L has then spent about L² / (2 x growth) tokens. */
const typicalGrowthTokens = 5_000
const typicalAnswerTokens = 1_500

/** Returns the most tokens that one shadow answer can take, with its conversation; null when there is no known bound. */
function countLongestTokens(config: RunConfig, model: ModelHandle): number | null {
  if (model.contextWindow !== null) return model.contextWindow
  const { cachedInput, output } = readTokenWeights(config)
  const lightest = Math.min(1, cachedInput, output)
  const { tokens } = pickAttemptCaps(config, 'online')
  const answer = config.maxOutputTokens ?? model.outputLimit ?? null
  if (tokens === undefined || answer === null || lightest === 0) return null
  return Math.ceil(tokens / lightest) + answer
}

/**
 * Estimates the shadow answers of one attempt. At most, they are those of all checkpoints within its cap;
 * typically, those within the tokens that an attempt spends.
 */
export function estimateCheckpoints(
  config: RunConfig,
  model: ModelHandle,
  typicalTokens: number,
): { readonly answers: number; readonly atMost: Spending; readonly typical: Spending } {
  const caps = pickAttemptCaps(config, 'online')
  const within = (most: number): number[] => config.checkpointTokens.filter(at => at <= most)
  const answers = Math.min(
    within(caps.tokens ?? Number.POSITIVE_INFINITY).length,
    caps.modelCalls ?? Number.POSITIVE_INFINITY,
  )
  const longest = countLongestTokens(config, model)
  const tokens = longest === null ? null : longest * answers
  const { price } = model
  const dearest = price === null ? null : Math.max(price.input, price.cachedInput, price.output)
  const usd = tokens === null || dearest === null ? null : (tokens * dearest) / 1e6
  const window = (model.contextWindow ?? Number.POSITIVE_INFINITY) - typicalAnswerTokens
  const typical = within(typicalTokens).map((at): Spending => {
    const input = Math.max(0, Math.min(window, Math.round(Math.sqrt(2 * at * typicalGrowthTokens))))
    const spent = priceTokens(price, input, typicalAnswerTokens)
    return { tokens: input + typicalAnswerTokens, searchCalls: 0, usd: spent }
  })
  return { answers, atMost: { tokens, searchCalls: 0, usd }, typical: sum(typical) }
}
