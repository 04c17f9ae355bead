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
import { describeRowMatch, matchByJudge } from '../table/row-match.ts'
import { keyNormaliser } from '../text/key-normaliser.ts'

/** The gold rows that are still free. */
interface FreeRows {
  /** The first free row with that text under a form of the keys. */
  first(index: ReadonlyMap<string, readonly number[]>, text: string): number | null
  take(goldRow: number): void
  keys(): GoldKey[]
}

interface AnswerRow {
  readonly row: number
  readonly key: readonly string[]
  readonly text: string
}

/**
 * The paper's Algorithm 1: every row of the answer with the very key of a free gold row takes it first; then the judge
 * picks for each row that is left, in order, among the free gold keys. By rules: keys that are equal after normalisation
 * first, then the most similar free one.
 */
export async function matchRowsAsPaper(
  gold: GoldTable,
  goldTable: RawTable,
  answer: RawTable,
  judge: Judge,
  tally: JudgeTally,
): Promise<RowMatching> {
  const free = freeRows(goldTable)
  const rowOf = new Map<number, number>()
  const rows = answer.keys.map((key, row) => ({ row, key, text: pythonKeyText(key) }))
  /** Gives each row what is found for it; the rows without stay. */
  const pass = (open: readonly AnswerRow[], find: (row: AnswerRow) => number | null): AnswerRow[] =>
    open.filter(answerRow => {
      const goldRow = find(answerRow)
      if (goldRow === null) return true
      free.take(goldRow)
      rowOf.set(goldRow, answerRow.row)
      return false
    })

  const normalise = judge.kind === 'none' ? null : keyNormaliser(gold)
  const judgedRows = new Set<number>()
  const matched = (exactKeys: Map<string, number[]>, failedRows: number): RowMatching => ({
    rowOf: inOrder(rowOf, exactKeys),
    failedRows,
    describe: (goldRow, row) =>
      judgedRows.has(row)
        ? matchByJudge(row)
        : describeRowMatch(row, rowKey(goldTable, goldRow), rowKey(answer, row), normalise),
  })
  const exact = indexBy(goldTable.keys, pythonKeyText)
  const inexact = pass(rows, ({ text }) => free.first(exact, text))
  if (judge.kind === 'none' || normalise === null) return matched(exact, 0)
  const listTokens = tableTokens(goldTable.keys)
  for (const { text } of inexact) tally.wouldCall(1, listTokens + publishedTokens(text))
  const normalised = indexBy(goldTable.keys, normalise)
  const open = pass(inexact, ({ key }) => {
    const form = normalise(key)
    return form === '' ? null : free.first(normalised, form)
  })
  if (judge.kind === 'rules') {
    pass(open, ({ key, text }) => similarRow(text, normalise(key), free.keys()))
    return matched(exact, 0)
  }
  let failedRows = 0
  for (const { row, text } of open) {
    const keys = free.keys()
    if (keys.length === 0) break
    const texts = keys.map(key => key.text)
    const picked = await pickRow(judge, tally, gold.keyColumns, text, texts)
    if (picked === null) failedRows += 1
    const goldRow = keys.find(key => key.text === picked?.key)?.goldRow
    if (goldRow === undefined) continue
    free.take(goldRow)
    rowOf.set(goldRow, row)
    judgedRows.add(row)
  }
  return matched(exact, failedRows)
}

const rowKey = (table: RawTable, row: number) => ({
  parts: table.keys[row]!,
  text: pythonKeyText(table.keys[row]!),
})

/** Gold rows of one key go to their rows of the answer in the answer's order, whatever found these. */
function inOrder(
  rowOf: ReadonlyMap<number, number>,
  goldRowsByKey: ReadonlyMap<string, readonly number[]>,
): Map<number, number> {
  const ordered = new Map<number, number>()
  for (const goldRows of goldRowsByKey.values()) {
    const rows = goldRows.flatMap(goldRow => rowOf.get(goldRow) ?? []).sort((a, b) => a - b)
    for (const [i, row] of rows.entries()) ordered.set(goldRows[i]!, row)
  }
  return ordered
}

/** A key of which nothing is left is like no other. */
function similarRow(text: string, form: string, keys: readonly GoldKey[]): number | null {
  const tokens = sortedTokens(text)
  return tokens.length === 0 || form === '' ? null : mostSimilar(tokens, keys)
}

function indexBy(
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
