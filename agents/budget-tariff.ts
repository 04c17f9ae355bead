import type { TokenPrice } from '../src/core/model.ts'
import { type Amounts, noAmounts, picodollars } from './budget-ledger.ts'

/** What a token of each sort counts towards the cap in tokens; 1 unless told otherwise. */
export interface TokenWeights {
  readonly cachedInput: number
  readonly output: number
}

/** What things cost, in the whole amounts of the ledger. */
export interface Tariff {
  /** What an input token (at its dearest) and an output token take. */
  units(kind: 'tokens' | 'usd'): { readonly inputUnit: number; readonly outputUnit: number }
  /** What a billed call takes. */
  amounts(inputTokens: number, cachedInputTokens: number, outputTokens: number): Amounts
  /** Picodollars of one search or fetch. */
  callPrice(kind: 'searchCalls' | 'fetchCalls'): number
}

export function createTariff(options: {
  readonly price: TokenPrice | null
  readonly searchUsd: number | null
  readonly fetchUsd: number | null
  readonly weights?: TokenWeights
}): Tariff {
  const weights = options.weights ?? { cachedInput: 1, output: 1 }
  const price = {
    input: perToken(options.price?.input),
    cachedInput: perToken(options.price?.cachedInput),
    output: perToken(options.price?.output),
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

/** Dollars a million tokens as whole picodollars a token. */
function perToken(usdPerMillion: number | undefined): number {
  return picodollars((usdPerMillion ?? 0) / 1e6)
}
