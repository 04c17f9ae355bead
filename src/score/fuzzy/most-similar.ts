import { commonBound, type LetterBag, letterBag } from './letter-bag.ts'
import { ratioBound, type SortedTokens, sortedTokens, tokenSortRatio } from './token-sort.ts'

/** Similarities are rounded to whole numbers, half to even, before they are compared with 90. */
const similarEnough = 89.5

/** A gold key to be compared with; make it with goldKey(). */
export interface GoldKey {
  readonly text: string
  readonly goldRow: number
  /** Made when first needed. */
  forms: { readonly tokens: SortedTokens; readonly bag: LetterBag } | null
}

export const goldKey = (text: string, goldRow: number): GoldKey => ({ text, goldRow, forms: null })

/**
 * The row of the first of the most similar keys, if similar enough (90 of 100). Lengths and letters bound what two keys
 * can reach, which spares most comparisons.
 */
export function mostSimilar(tokens: SortedTokens, keys: readonly GoldKey[]): number | null {
  const bag = letterBag(tokens)
  let best = similarEnough
  let found: number | null = null
  for (const key of keys) {
    key.forms ??= formsOf(key.text)
    const other = key.forms.tokens
    if (ratioBound(tokens, other) < best - 1e-9) continue
    const total = tokens.length + other.length
    if (total > 0 && (200 * commonBound(bag, key.forms.bag)) / total < best - 1e-9) continue
    const ratio = tokenSortRatio(tokens, other)
    if (found === null ? ratio >= best : ratio > best) {
      best = ratio
      found = key.goldRow
      if (ratio === 100) break
    }
  }
  return found
}

function formsOf(text: string): NonNullable<GoldKey['forms']> {
  const tokens = sortedTokens(text)
  return { tokens, bag: letterBag(tokens) }
}
