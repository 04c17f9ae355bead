import type { TokenPrice } from '../../core/model.ts'

/** Tokens, searches and US dollars. Null: no bound, or an unknown price. */
export interface Spending {
  readonly tokens: number | null
  readonly searchCalls: number | null
  readonly usd: number | null
}

/** Returns US dollars for tokens; null when the price is unknown. */
export function priceTokens(price: TokenPrice | null, input: number, output: number): number | null {
  return price === null ? null : (input * price.input + output * price.output) / 1e6
}

/** Multiplies spending. */
export function multiplySpending(spending: Spending, by: number): Spending {
  const multiply = (value: number | null): number | null => (value === null ? null : value * by)
  return {
    tokens: multiply(spending.tokens),
    searchCalls: multiply(spending.searchCalls),
    usd: multiply(spending.usd),
  }
}

/** Adds spending. A kind that one of them does not know is null. */
export function sum(spendings: readonly Spending[]): Spending {
  const over = (kind: keyof Spending): number | null =>
    spendings.reduce<number | null>((total, spending) => {
      const value = spending[kind]
      return total === null || value === null ? null : total + value
    }, 0)
  return { tokens: over('tokens'), searchCalls: over('searchCalls'), usd: over('usd') }
}
