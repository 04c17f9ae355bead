import type { CallUsage } from '../logs/event-parts.ts'
import type { TokenPrice } from '../src/core/model.ts'
import type { Usage } from '../src/core/usage.ts'
import { addOrNull } from '../src/core/usage.ts'

/** Adds up the usage of an attempt as the providers billed it. */
export interface UsageTally {
  /** Counts a request that was sent, whatever its outcome. */
  modelCalled(): void
  /**
   * Adds the billed usage of an answer; null when the provider did not report it. `ownPrice` is the price of a model
   * other than the one under test; null when unknown.
   */
  modelAnswered(usage: CallUsage | null, otherPrice?: TokenPrice | null): void
  /** Counts a request that was given up while the provider may have been working on it. Its bill is unknown. */
  modelCutOff(): void
  /** Returns how many requests were given up. */
  cutOffCalls(): number
  toolFailed(): void
  /** Adds the time of a wait for a retry that begins now. Overlapping waits count once. */
  waits(now: number, waitMs: number): void
  total(facts: UsageFacts): Usage
}

/** The parts of the usage that the tally does not count itself. */
interface UsageFacts {
  readonly searchCalls: number
  readonly fetchCalls: number
  readonly wallMs: number
  readonly price: TokenPrice | null
  readonly searchUsd: number | null
  readonly fetchUsd: number | null
}

/** Creates an empty tally. */
export function createUsageTally(): UsageTally {
  let modelCalls = 0
  let answers = 0
  let cutOff = 0
  let isUncertain = false
  let toolErrors = 0
  let waitedMs = 0
  let waitingUntil = 0
  // Null as soon as one answer lacks the number: an incomplete sum would look like the total.
  let input: number | null = 0
  let output: number | null = 0
  let cached: number | null = null
  let reasoning: number | null = null
  // Answers of other models, which have prices of their own.
  const otherModels = { answers: 0, inputTokens: 0, cached: 0, outputTokens: 0 }
  let othersUsd: number | null = 0
  return {
    modelCalled: () => void modelCalls++,
    modelAnswered(usage, otherPrice) {
      if (otherPrice !== undefined) {
        const [inputTokens, outputTokens] = [usage?.inputTokens ?? null, usage?.outputTokens ?? null]
        const cachedTokens = usage?.cachedInputTokens ?? 0
        otherModels.answers++
        otherModels.inputTokens += inputTokens ?? 0
        otherModels.cached += cachedTokens
        otherModels.outputTokens += outputTokens ?? 0
        const sums = { inputTokens, cached: cachedTokens, outputTokens, modelCalls: 1 }
        othersUsd = addOrNull(othersUsd, modelUsd(otherPrice, sums))
      }
      answers++
      isUncertain ||= usage?.uncertain === true
      input = addOrNull(input, usage?.inputTokens ?? null)
      output = addOrNull(output, usage?.outputTokens ?? null)
      cached = addKnown(cached, usage?.cachedInputTokens ?? null)
      reasoning = addKnown(reasoning, usage?.reasoningTokens ?? null)
    },
    modelCutOff: () => void cutOff++,
    cutOffCalls: () => cutOff,
    toolFailed: () => void toolErrors++,
    waits(now, waitMs) {
      waitedMs += Math.max(0, now + waitMs - Math.max(now, waitingUntil))
      waitingUntil = Math.max(waitingUntil, now + waitMs)
    },
    total(facts) {
      // The bill is unknown, so 0 would be wrong.
      const unknown = cutOff > 0 && answers === 0
      const [inputTokens, outputTokens] = unknown ? [null, null] : [input, output]
      const ofModel = {
        inputTokens: inputTokens === null ? null : inputTokens - otherModels.inputTokens,
        cached: cached === null ? null : cached - otherModels.cached,
        outputTokens: outputTokens === null ? null : outputTokens - otherModels.outputTokens,
        modelCalls: modelCalls - otherModels.answers,
      }
      const usdModel = addOrNull(modelUsd(facts.price, ofModel), othersUsd)
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
        usd: addOrNull(addOrNull(usdModel, usdSearch), usdFetch),
        usdModel,
        usdSearch,
        usdFetch,
        ...(isUncertain && { uncertain: true as const }),
      }
    },
  }
}

/** Adds a number that providers omit when it is zero. The sum is null when no provider reported it. */
function addKnown(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more
}

/** The sums of all model calls. */
interface ModelSums {
  readonly inputTokens: number | null
  readonly cached: number | null
  readonly outputTokens: number | null
  readonly modelCalls: number
}

/** Returns the cost of model calls in US dollars; null when a price or a count is unknown. */
function modelUsd(price: TokenPrice | null, sums: ModelSums): number | null {
  const { inputTokens, cached, outputTokens, modelCalls } = sums
  if (modelCalls === 0) return 0
  if (price === null || inputTokens === null || outputTokens === null) return null
  const fromCache = Math.min(inputTokens, cached ?? 0)
  const usdPerMillion =
    (inputTokens - fromCache) * price.input + fromCache * price.cachedInput + outputTokens * price.output
  return usdPerMillion / 1e6
}

function callsUsd(priceOfOne: number | null, calls: number): number | null {
  if (calls === 0) return 0
  return priceOfOne === null ? null : priceOfOne * calls
}
