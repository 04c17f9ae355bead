import {
  computeCommonLengthBound,
  computeRatioBound,
  computeTokenSortRatio,
  countLetters,
  type LetterBag,
  type SortedTokens,
  sortTokens,
} from '../../src/score/fuzzy/token-sort.ts'

/** AOE's published code rounds similarities to whole numbers, half to even, and compares them with 90. */
const similarEnough = 89.5

/** A gold key to compare with. Create it with makeGoldKey(). */
export interface GoldKey {
  readonly text: string
  readonly goldRow: number
  /** Computed on first use. */
  forms: { readonly tokens: SortedTokens; readonly bag: LetterBag } | null
}

/** Creates a gold key. */
export const makeGoldKey = (text: string, goldRow: number): GoldKey => ({ text, goldRow, forms: null })

/**
 * Finds the row of the most similar key, the first one of equals, if it is similar enough (90 of 100). Bounds from
 * lengths and letters avoid most comparisons.
 *
 * @param isAllowed whether a key that is similar enough may be taken; by default, every key may
 */
export function findMostSimilar(
  tokens: SortedTokens,
  keys: readonly GoldKey[],
  isAllowed: (goldRow: number) => boolean = () => true,
): number | null {
  const bag = countLetters(tokens)
  let best = similarEnough
  let bestRow: number | null = null
  for (const key of keys) {
    key.forms ??= prepareForms(key.text)
    const keyTokens = key.forms.tokens
    if (computeRatioBound(tokens, keyTokens) < best - 1e-9) continue
    const total = tokens.length + keyTokens.length
    if (total > 0 && (200 * computeCommonLengthBound(bag, key.forms.bag)) / total < best - 1e-9) continue
    const ratio = computeTokenSortRatio(tokens, keyTokens)
    if ((bestRow === null ? ratio >= best : ratio > best) && isAllowed(key.goldRow)) {
      best = ratio
      bestRow = key.goldRow
      if (ratio === 100) break
    }
  }
  return bestRow
}

function prepareForms(text: string): NonNullable<GoldKey['forms']> {
  const tokens = sortTokens(text)
  return { tokens, bag: countLetters(tokens) }
}
