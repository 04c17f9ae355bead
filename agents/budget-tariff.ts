import type { TokenPrice } from '../src/core/model.ts'
import { type Amounts, noAmounts, picodollars } from './budget-ledger.ts'

/** The weights of cached input tokens and output tokens towards the token cap. The default is 1 each. */
export interface TokenWeights {
  readonly cachedInput: number
  readonly output: number
}

/** The prices of tokens and calls, in the integer amounts of the ledger. */
export interface Tariff {
  /** Returns the price of an input token (the higher of cached and uncached) and of an output token. */
  units(kind: 'tokens' | 'usd'): { readonly inputUnit: number; readonly outputUnit: number }
  /** Returns the amounts of a billed model call. */
  amounts(inputTokens: number, cachedInputTokens: number, outputTokens: number): Amounts
  /** Returns the price of one search or fetch in picodollars. */
  callPrice(kind: 'searchCalls' | 'fetchCalls'): number
}

/**
 * Creates a tariff from prices in US dollars: `price` per million tokens, the others per call. Unknown prices count
 * as 0.
 */
export function createTariff(options: {
  readonly price: TokenPrice | null
  readonly searchUsd: number | null
  readonly fetchUsd: number | null
  readonly weights?: TokenWeights
}): Tariff {
  const weights = options.weights ?? { cachedInput: 1, output: 1 }
  const price = {
    input: picodollarsPerToken(options.price?.input),
    cachedInput: picodollarsPerToken(options.price?.cachedInput),
    output: picodollarsPerToken(options.price?.output),
  }
  const calls = {
    searchCalls: picodollars(options.searchUsd ?? 0),
    fetchCalls: picodollars(options.fetchUsd ?? 0),
  }
  return {
    units: kind =>
      kind === 'tokens'
        ? { inputUnit: Math.max(1, weights.cachedInput), outputUnit: weights.output }
        : { inputUnit: Math.max(price.input, price.cachedInput), outputUnit: price.output },
    amounts(input, cachedInput, output) {
      const cached = Math.min(input, cachedInput)
      const amounts = noAmounts()
      amounts.tokens = Math.ceil(input - cached + cached * weights.cachedInput + output * weights.output)
      amounts.usd = (input - cached) * price.input + cached * price.cachedInput + output * price.output
      return amounts
    },
    callPrice: kind => calls[kind],
  }
}

/** Converts US dollars per million tokens to whole picodollars per token. */
function picodollarsPerToken(usdPerMillion: number | undefined): number {
  return picodollars((usdPerMillion ?? 0) / 1e6)
}
