import { type GoldKey, goldKey, mostSimilar } from '../fuzzy/most-similar.ts'
import { sortedTokens } from '../fuzzy/token-sort.ts'
import type { Judge } from '../judge/judge.ts'
import { pickRow } from '../judge/pick-row.ts'
import { publishedTokens, tableTokens } from '../judge/published-tokens.ts'
import type { JudgeTally } from '../judge/tally.ts'
import { pythonKeyText } from '../python/text.ts'
import type { RowMatching } from '../table/compare-tables.ts'
import type { GoldTable } from '../table/gold-table.ts'
import type { RawTable } from '../table/raw-table.ts'
import { keyNormaliser } from '../text/key-normaliser.ts'

/** The gold rows that are still free. */
interface FreeRows {
  /** The first free row with that text under a form of the keys. */
  first(index: ReadonlyMap<string, readonly number[]>, text: string): number | null
  take(goldRow: number): void
  keys(): GoldKey[]
}

/**
 * The paper's Algorithm 1: each row of the answer, in order, takes the free gold row with exactly its key; else the
 * judge picks among the free gold keys. By rules: the same key after normalisation, else the most similar free one.
 */
export async function matchRowsAsPaper(
  gold: GoldTable,
  goldTable: RawTable,
  answer: RawTable,
  judge: Judge,
  tally: JudgeTally,
): Promise<RowMatching> {
  const normalise = keyNormaliser(gold)
  const exact = indexBy(goldTable.keys, pythonKeyText)
  const normalised = indexBy(goldTable.keys, normalise)
  const free = freeRows(goldTable)
  const rowOf = new Map<number, number>()
  const listTokens = tableTokens(goldTable.keys)
  let failedRows = 0
  for (const [row, key] of answer.keys.entries()) {
    const text = pythonKeyText(key)
    let goldRow = free.first(exact, text)
    if (goldRow === null && judge.kind !== 'none') {
      tally.wouldCall(1, listTokens + publishedTokens(text))
      const form = normalise(key)
      goldRow = form === '' ? null : free.first(normalised, form)
      if (goldRow === null && judge.kind === 'rules') goldRow = similarRow(text, form, free.keys())
      if (goldRow === null && judge.kind === 'model') {
        const keys = free.keys()
        const picked =
          keys.length === 0
            ? { key: null }
            : await pickRow(
                judge,
                tally,
                gold.keyColumns,
                text,
                keys.map(k => k.text),
              )
        if (picked === null) failedRows += 1
        else goldRow = keys.find(candidate => candidate.text === picked.key)?.goldRow ?? null
      }
    }
    if (goldRow === null) continue
    free.take(goldRow)
    rowOf.set(goldRow, row)
  }
  return { rowOf, failedRows }
}

/** A key of which nothing is left is like no other. */
function similarRow(text: string, form: string, keys: readonly GoldKey[]): number | null {
  const tokens = sortedTokens(text)
  return tokens.length === 0 || form === '' ? null : mostSimilar(tokens, keys)
}

export function indexBy(
  keys: readonly (readonly string[])[],
  form: (key: readonly string[]) => string,
): Map<string, number[]> {
  const index = new Map<string, number[]>()
  for (const [row, key] of keys.entries()) {
    const text = form(key)
    const rows = index.get(text)
    if (rows === undefined) index.set(text, [row])
    else rows.push(row)
  }
  return index
}

function freeRows(gold: RawTable): FreeRows {
  const keys: GoldKey[] = gold.keys.map((key, goldRow) => goldKey(pythonKeyText(key), goldRow))
  const taken = new Set<number>()
  return {
    first: (index, text) => index.get(text)?.find(goldRow => !taken.has(goldRow)) ?? null,
    take: goldRow => taken.add(goldRow),
    keys: () => keys.filter(key => !taken.has(key.goldRow)),
  }
}
