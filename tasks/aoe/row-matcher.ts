import { groupBy } from '../../src/core/group-by.ts'
import { sortTokens } from '../../src/score/fuzzy/token-sort.ts'
import { findMostSimilar, type GoldKey, makeGoldKey } from './most-similar.ts'

/** Matches the rows of an answer with gold rows, one at a time, in the order of the answer. */
interface RowMatcher {
  /**
   * Finds the free gold row for a key by rules; null when there is none. Does not take the row.
   *
   * @param normalised a second form of the key that also counts as equal; null when there is none
   */
  find(keyText: string, normalised: (() => string) | null): number | null
  /** Marks a gold row as taken, so that no later row is matched with it. */
  take(goldRow: number): void
  /** The gold row with this key text, as a judge names it; null when it is not free. */
  findByText(keyText: string): number | null
  /** The texts of all distinct gold keys, in gold order, whether free or taken. */
  keyTexts(): readonly string[]
}

/**
 * Creates a matcher with the rule of AOE's published code. It takes the first gold row with exactly that key
 * if it is free. Otherwise it takes the most similar of all distinct gold keys, if it is similar enough and
 * its row is free. Two defects of the published code are kept. Only the first row of a repeated key can be
 * matched, and a taken row is not replaced by the next most similar one.
 *
 * @param goldKeys the key text of each gold row
 * @param normalised second forms of the gold keys, computed on first use (`--judge rules`); null for the published
 * rule
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
  const takenRows = new Uint8Array(goldKeys.length)
  // Contains only the first row of a repeated key.
  const indexForms = (forms: readonly string[]): Map<string, number[]> =>
    groupBy(byText.values(), goldRow => forms[goldRow]!)
  const isFree = (goldRow: number | undefined): goldRow is number =>
    goldRow !== undefined && takenRows[goldRow] === 0

  return {
    // Not a getter: an object with a getter has its own hidden class, which keeps the whole table in memory.
    keyTexts: () => [...byText.keys()],
    take(goldRow) {
      takenRows[goldRow] = 1
    },
    findByText(keyText) {
      const goldRow = byText.get(keyText)
      return isFree(goldRow) ? goldRow : null
    },
    find(keyText, normalisedKey) {
      const exact = byText.get(keyText)
      if (isFree(exact)) return exact
      if (normalised !== null && normalisedKey !== null) {
        byNormalised ??= indexForms(normalised())
        const form = normalisedKey()
        const same = form === '' ? undefined : byNormalised.get(form)?.find(isFree)
        if (same !== undefined) return same
      }
      distinct ??= [...byText].map(([text, goldRow]) => makeGoldKey(text, goldRow))
      const similar = findMostSimilar(sortTokens(keyText), distinct)
      return similar !== null && isFree(similar) ? similar : null
    },
  }
}
