import type { CallUsage } from '../logs/events.ts'
import type { Usage } from '../src/core/attempt.ts'
import type { TokenPrice } from '../src/core/model.ts'

/** Adds up what an attempt used, as the providers billed it. */
export interface UsageTally {
  /** A request that went out, whatever became of it. */
  modelCalled(): void
  modelAnswered(usage: CallUsage | null): void
  /** A request given up while the provider may have been at work on it: what it was billed is in no sum. */
  modelCutOff(): void
  /** How many of those there were. */
  cutOffCalls(): number
  toolFailed(): void
  /** Time spent waiting for a retry from now on; overlapping waits count once. */
  waits(now: number, waitMs: number): void
  total(facts: UsageFacts): Usage
}

export interface UsageFacts {
  readonly searchCalls: number
  readonly fetchCalls: number
  readonly wallMs: number
  readonly price: TokenPrice | null
  readonly searchUsd: number | null
  readonly fetchUsd: number | null
}

export function createUsageTally(): UsageTally {
  let modelCalls = 0
  let answers = 0
  let cutOff = 0
  let toolErrors = 0
  let waitedMs = 0
  let waitingUntil = 0
  // Null as soon as one answer did not say: a sum that leaves calls out would pass for the whole.
  let input: number | null = 0
  let output: number | null = 0
  let cached: number | null = null
  let reasoning: number | null = null
  return {
    modelCalled: () => void modelCalls++,
    modelAnswered(usage) {
      answers++
      input = plus(input, usage?.inputTokens ?? null)
      output = plus(output, usage?.outputTokens ?? null)
      cached = knownSum(cached, usage?.cachedInputTokens ?? null)
      reasoning = knownSum(reasoning, usage?.reasoningTokens ?? null)
    },
    modelCutOff: () => void cutOff++,
    cutOffCalls: () => cutOff,
    toolFailed: () => void toolErrors++,
    waits(now, waitMs) {
      waitedMs += Math.max(0, now + waitMs - Math.max(now, waitingUntil))
      waitingUntil = Math.max(waitingUntil, now + waitMs)
    },
    total(facts) {
      // Nothing is known of what was billed: 0 would pass for a fact.
      const unknown = cutOff > 0 && answers === 0
      const [inputTokens, outputTokens] = unknown ? [null, null] : [input, output]
      const usdModel = modelUsd(facts.price, inputTokens, cached, outputTokens, modelCalls)
      const usdSearch = callsUsd(facts.searchUsd, facts.searchCalls)
      const usdFetch = callsUsd(facts.fetchUsd, facts.fetchCalls)
      const wallMs = Math.max(0, Math.round(facts.wallMs))
      return {
        inputTokens,
        cachedInputTokens: cached,
        outputTokens,
        reasoningTokens: reasoning,
        modelCalls,
        searchCalls: facts.searchCalls,
        fetchCalls: facts.fetchCalls,
        toolErrors,
        wallMs,
        workingMs: Math.max(0, wallMs - Math.round(waitedMs)),
        usd: plus(plus(usdModel, usdSearch), usdFetch),
        usdModel,
        usdSearch,
        usdFetch,
      }
    },
  }
}

function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

/** Providers leave out what is zero for them: the sum of what was said, null where nothing was. */
function knownSum(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more
}

/** What model calls cost in US dollars; null where a price or a count is unknown. */
function modelUsd(
  price: TokenPrice | null,
  input: number | null,
  cached: number | null,
  output: number | null,
  modelCalls: number,
): number | null {
  if (modelCalls === 0) return 0
  if (price === null || input === null || output === null) return null
  const fromCache = Math.min(input, cached ?? 0)
  return ((input - fromCache) * price.input + fromCache * price.cachedInput + output * price.output) / 1e6
}

function callsUsd(priceOfOne: number | null, calls: number): number | null {
  if (calls === 0) return 0
  return priceOfOne === null ? null : priceOfOne * calls
}
