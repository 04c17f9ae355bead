import { type GoldKey, goldKey, mostSimilar } from '../fuzzy/most-similar.ts'
import { sortedTokens } from '../fuzzy/token-sort.ts'

/** Gives predicted rows their gold row, one at a time, in predicted order. */
export interface RowMatcher {
  /**
   * The gold row that rules alone give this key; null where they give none. Does not take it.
   * @param normalised a second form of the key that counts as equal too; null for none
   */
  find(keyText: string, normalised: (() => string) | null): number | null
  /** Takes a gold row, so that no later predicted row gets it. */
  take(goldRow: number): void
  /** The gold row of a key's text as a judge names it, if it is free; null otherwise. */
  findByText(keyText: string): number | null
  /** All distinct gold keys as text, in gold order, free or not. */
  keyTexts(): readonly string[]
}

/**
 * The published rule: the first gold row with exactly that key, if free; else the most similar of all distinct gold
 * keys, if similar enough and its row is free. Only the first row of a repeated key can be matched.
 * @param goldKeys one text a gold row
 * @param normalised second forms of the gold keys, made when first needed (`--judge rules`); null for the published rule
 */
export function createRowMatcher(
  goldKeys: readonly string[],
  normalised: (() => readonly string[]) | null,
): RowMatcher {
  const byText = new Map<string, number>()
  for (let row = 0; row < goldKeys.length; row += 1) {
    if (!byText.has(goldKeys[row]!)) byText.set(goldKeys[row]!, row)
  }
  let byNormalised: Map<string, number[]> | null = null
  let distinct: GoldKey[] | null = null
  const taken = new Uint8Array(goldKeys.length)
  const isFree = (goldRow: number | undefined): goldRow is number =>
    goldRow !== undefined && taken[goldRow] === 0

  return {
    // No getter: an object with one gets a hidden class of its own, which keeps the whole table alive for long.
    keyTexts: () => [...byText.keys()],
    take(goldRow) {
      taken[goldRow] = 1
    },
    findByText(keyText) {
      const goldRow = byText.get(keyText)
      return isFree(goldRow) ? goldRow : null
    },
    find(keyText, normalisedKey) {
      const exact = byText.get(keyText)
      if (isFree(exact)) return exact
      if (normalised !== null && normalisedKey !== null) {
        byNormalised ??= indexNormalised(byText, normalised())
        const same = byNormalised.get(normalisedKey())?.find(isFree)
        if (same !== undefined) return same
      }
      distinct ??= [...byText].map(([text, goldRow]) => goldKey(text, goldRow))
      const similar = mostSimilar(sortedTokens(keyText), distinct)
      return similar !== null && isFree(similar) ? similar : null
    },
  }
}

/** Of a repeated key the first row alone. */
function indexNormalised(
  byText: ReadonlyMap<string, number>,
  normalised: readonly string[],
): Map<string, number[]> {
  const index = new Map<string, number[]>()
  for (const goldRow of byText.values()) {
    const form = normalised[goldRow]!
    if (form === '') continue
    const rows = index.get(form)
    if (rows === undefined) index.set(form, [goldRow])
    else rows.push(goldRow)
  }
  return index
}
