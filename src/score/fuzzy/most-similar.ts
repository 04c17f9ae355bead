import { ratioBound, type SortedTokens, sortedTokens, tokenSortRatio } from './token-sort.ts'

/** Similarities are rounded to whole numbers, half to even, before they are compared with 90. */
const similarEnough = 89.5

export interface GoldKey {
  readonly text: string
  readonly goldRow: number
  /** Made when first needed. */
  tokens: SortedTokens | null
}

/** The row of the first of the most similar keys, if similar enough (90 of 100); the bound spares most comparisons. */
export function mostSimilar(tokens: SortedTokens, keys: readonly GoldKey[]): number | null {
  let best = similarEnough
  let found: number | null = null
  for (const key of keys) {
    key.tokens ??= sortedTokens(key.text)
    if (ratioBound(tokens, key.tokens) < best - 1e-9) continue
    const ratio = tokenSortRatio(tokens, key.tokens)
    if (found === null ? ratio >= best : ratio > best) {
      best = ratio
      found = key.goldRow
      if (ratio === 100) break
    }
  }
  return found
}
