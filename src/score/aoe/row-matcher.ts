import { ratioBound, type SortedTokens, sortedTokens, tokenSortRatio } from '../fuzzy/token-sort.ts'
import { pythonKeyText } from '../python/text.ts'

/** Similarities are rounded to whole numbers, half to even, before they are compared with 90. */
const similarEnough = 89.5

export interface RowMatch {
  readonly goldRow: number
  readonly rule: 'exact-key' | 'normalised-key' | 'similar-key' | 'judged-key'
}

/** Gives predicted rows their gold row, one at a time, in predicted order. */
export interface RowMatcher {
  /** The row that rules alone give this key; null where they give none. Does not take it. */
  find(key: readonly string[]): RowMatch | null
  /** Takes a gold row, so that no later predicted row gets it. */
  take(goldRow: number): void
  /** The gold row of a key's text as a judge names it, if it is free; null otherwise. */
  findByText(keyText: string): number | null
  /** All distinct gold keys as text, in gold order, free or not. */
  readonly keyTexts: readonly string[]
  isFree(goldRow: number): boolean
}

interface GoldKey {
  readonly text: string
  readonly goldRow: number
  tokens: SortedTokens | null
}

/**
 * The published rule: the first gold row with exactly that key, if free; else the most similar of all distinct gold
 * keys, if similar enough and its row is free. Only the first row of a repeated key can be matched.
 * @param normalise a second form of a key that counts as equal too (`--judge rules`); null for the published rule
 */
export function createRowMatcher(
  goldKeys: readonly (readonly string[])[],
  normalise: ((key: readonly string[]) => string) | null,
): RowMatcher {
  const distinct = distinctKeys(goldKeys)
  const byText = new Map(distinct.map(key => [key.text, key.goldRow]))
  const byNormalised = normalise === null ? null : indexNormalised(distinct, goldKeys, normalise)
  const taken = new Set<number>()
  const isFree = (goldRow: number | undefined): goldRow is number =>
    goldRow !== undefined && !taken.has(goldRow)

  return {
    keyTexts: distinct.map(key => key.text),
    isFree,
    take: goldRow => taken.add(goldRow),
    findByText(keyText) {
      const goldRow = byText.get(keyText)
      return isFree(goldRow) ? goldRow : null
    },
    find(key) {
      const text = pythonKeyText(key)
      const exact = byText.get(text)
      if (isFree(exact)) return { goldRow: exact, rule: 'exact-key' }
      if (normalise !== null && byNormalised !== null) {
        const same = byNormalised.get(normalise(key))?.find(goldRow => isFree(goldRow))
        if (same !== undefined) return { goldRow: same, rule: 'normalised-key' }
      }
      const similar = mostSimilar(sortedTokens(text), distinct)
      return similar !== null && isFree(similar) ? { goldRow: similar, rule: 'similar-key' } : null
    },
  }
}

function distinctKeys(goldKeys: readonly (readonly string[])[]): GoldKey[] {
  const seen = new Set<string>()
  const distinct: GoldKey[] = []
  for (const [goldRow, key] of goldKeys.entries()) {
    const text = pythonKeyText(key)
    if (seen.has(text)) continue
    seen.add(text)
    distinct.push({ text, goldRow, tokens: null })
  }
  return distinct
}

function indexNormalised(
  distinct: readonly GoldKey[],
  goldKeys: readonly (readonly string[])[],
  normalise: (key: readonly string[]) => string,
): Map<string, number[]> {
  const index = new Map<string, number[]>()
  for (const { goldRow } of distinct) {
    const form = normalise(goldKeys[goldRow]!)
    if (form === '') continue
    const rows = index.get(form)
    if (rows === undefined) index.set(form, [goldRow])
    else rows.push(goldRow)
  }
  return index
}

/** The first of the best, if it is similar enough; the bound spares most comparisons. */
function mostSimilar(tokens: SortedTokens, keys: readonly GoldKey[]): number | null {
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
