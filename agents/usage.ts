import type { CallUsage } from '../logs/event-parts.ts'
import type { TokenPrice } from '../src/core/model.ts'
import type { Usage } from '../src/core/usage.ts'
import { addOrNull } from '../src/core/usage.ts'

/** The parts of the usage that the tally does not count itself. */
interface UsageFacts {
  readonly searchCalls: number
  readonly fetchCalls: number
  readonly wallMs: number
  readonly price: TokenPrice | null
  readonly searchUsd: number | null
  readonly fetchUsd: number | null
}

/** Adds up the usage of an attempt as the providers billed it. */
export class UsageTally {
  #modelCalls = 0
  #answers = 0
  #cutOff = 0
  #isUncertain = false
  #toolErrors = 0
  #waitedMs = 0
  #waitingUntil = 0
  // Null as soon as one answer lacks the number: an incomplete sum would look like the total.
  #input: number | null = 0
  #output: number | null = 0
  #cached: number | null = null
  #reasoning: number | null = null
  // Answers of other models, which have prices of their own.
  readonly #others = { answers: 0, inputTokens: 0, cached: 0, outputTokens: 0 }
  #othersUsd: number | null = 0

  /** Counts a request that was sent, whatever its outcome. */
  modelCalled(): void {
    this.#modelCalls++
  }

  /**
   * Adds the billed usage of an answer; null when the provider did not report it. `otherPrice` is the price of a model
   * other than the one under test; null when unknown.
   */
  modelAnswered(usage: CallUsage | null, otherPrice?: TokenPrice | null): void {
    const [inputTokens, outputTokens] = [usage?.inputTokens ?? null, usage?.outputTokens ?? null]
    if (otherPrice !== undefined) {
      const cached = usage?.cachedInputTokens ?? 0
      this.#others.answers++
      this.#others.inputTokens += inputTokens ?? 0
      this.#others.cached += cached
      this.#others.outputTokens += outputTokens ?? 0
      const sums = { inputTokens, cached, outputTokens, modelCalls: 1 }
      this.#othersUsd = addOrNull(this.#othersUsd, modelUsd(otherPrice, sums))
    }
    this.#answers++
    this.#isUncertain ||= usage?.uncertain === true
    this.#input = addOrNull(this.#input, inputTokens)
    this.#output = addOrNull(this.#output, outputTokens)
    this.#cached = addKnown(this.#cached, usage?.cachedInputTokens ?? null)
    this.#reasoning = addKnown(this.#reasoning, usage?.reasoningTokens ?? null)
  }

  /** Counts a request that was given up while the provider may have been working on it. Its bill is unknown. */
  modelCutOff(): void {
    this.#cutOff++
  }

  /** Returns how many requests were given up. */
  cutOffCalls(): number {
    return this.#cutOff
  }

  toolFailed(): void {
    this.#toolErrors++
  }

  /** Adds the time of a wait for a retry that begins now. Overlapping waits count once. */
  waits(now: number, waitMs: number): void {
    this.#waitedMs += Math.max(0, now + waitMs - Math.max(now, this.#waitingUntil))
    this.#waitingUntil = Math.max(this.#waitingUntil, now + waitMs)
  }

  total(facts: UsageFacts): Usage {
    const { searchCalls, fetchCalls } = facts
    // When no request was answered and one was given up, the bill is unknown, so 0 would be wrong.
    const unknown = this.#cutOff > 0 && this.#answers === 0
    const [inputTokens, outputTokens] = unknown ? [null, null] : [this.#input, this.#output]
    const usdModel = addOrNull(
      modelUsd(facts.price, this.#sumsUnderTest(inputTokens, outputTokens)),
      this.#othersUsd,
    )
    const usdSearch = callsUsd(facts.searchUsd, searchCalls)
    const usdFetch = callsUsd(facts.fetchUsd, fetchCalls)
    const wallMs = Math.max(0, Math.round(facts.wallMs))
    return {
      inputTokens,
      cachedInputTokens: this.#cached,
      outputTokens,
      reasoningTokens: this.#reasoning,
      modelCalls: this.#modelCalls,
      searchCalls,
      fetchCalls,
      toolErrors: this.#toolErrors,
      wallMs,
      workingMs: Math.max(0, wallMs - Math.round(this.#waitedMs)),
      usd: addOrNull(addOrNull(usdModel, usdSearch), usdFetch),
      usdModel,
      usdSearch,
      usdFetch,
      ...(this.#isUncertain && { uncertain: true as const }),
    }
  }

  /** Returns the sums without the answers of other models. */
  #sumsUnderTest(inputTokens: number | null, outputTokens: number | null): ModelSums {
    return {
      inputTokens: inputTokens === null ? null : inputTokens - this.#others.inputTokens,
      cached: this.#cached === null ? null : this.#cached - this.#others.cached,
      outputTokens: outputTokens === null ? null : outputTokens - this.#others.outputTokens,
      modelCalls: this.#modelCalls - this.#others.answers,
    }
  }
}

/** Adds a number that providers omit when it is zero. The sum is null when no provider reported it. */
function addKnown(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more
}

/** The sums of some model calls. */
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
