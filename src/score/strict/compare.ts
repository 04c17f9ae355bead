import { alignWithJudge } from '../align/align-with-judge.ts'
import type { Judge } from '../judge/judge.ts'
import { pickRow } from '../judge/pick-row.ts'
import { createTally, type JudgeTally } from '../judge/tally.ts'
import { pythonKeyText } from '../python/text.ts'
import { alignedAnswer } from '../table/aligned-answer.ts'
import { comparisonOf, comparisonWithout, type RowMatching } from '../table/compare-tables.ts'
import type { TableComparison, TablesToCompare } from '../table/comparison.ts'
import type { GoldTable } from '../table/gold-table.ts'
import { rateMatched } from '../table/rate-matched.ts'
import { type CellRating, ratings } from '../table/rating.ts'
import { type RawTable, rawAnswer, rawGold } from '../table/raw-table.ts'
import { describeRowMatch, matchByJudge } from '../table/row-match.ts'
import { keyNormaliser } from '../text/key-normaliser.ts'
import { matchRowsOptimally } from './match-rows.ts'
import { rateStrictly } from './rate-cell.ts'

/**
 * Compares tables with Tablehunt's own rules: like the paper's scorer, but rows are matched by an optimal assignment,
 * and numbers, dates and units are compared by meaning.
 */
export async function compareStrictly({ gold, answer, judge }: TablesToCompare): Promise<TableComparison> {
  const tally = createTally()
  const names = [...gold.keyColumns, ...gold.targetColumns]
  const alignment = await alignWithJudge(names, answer.header, judge, tally)
  if (alignment === null) return comparisonWithout(gold, ratings.judgeFailed, tally)
  const aligned = alignedAnswer(gold, answer, alignment)
  const left = rawGold(gold)
  const right = rawAnswer(gold, aligned)
  const columns = gold.targetColumns.map((name, target) => {
    const position = alignment[gold.keyColumns.length + target] ?? null
    const predicted = position === null ? null : answer.header[position]!
    return { gold: name, predicted, numeric: gold.numericColumns.has(name) }
  })
  const verdict = (goldRow: number, row: number, target: number): CellRating | null =>
    rateStrictly(left.targets[target]![goldRow]!, right.targets[target]![row]!, columns[target]!)
  const matching = await matchRows(gold, left, right, judge, tally, verdict)
  const textsOf = (goldRow: number, row: number, target: number): readonly [string, string] => [
    left.targets[target]![goldRow]!,
    right.targets[target]![row]!,
  ]
  const rate = await rateMatched(
    matching.rowOf,
    gold.targetColumns.length,
    (goldRow, row, target) =>
      verdict(goldRow, row, target) ?? {
        column: gold.targetColumns[target]!,
        gold: left.targets[target]![goldRow]!,
        predicted: right.targets[target]![row]!,
      },
    { judge, tally, allowBatch: true, publishedAsks: () => true, textsOf },
  )
  return comparisonOf(gold, aligned, matching, rate, tally)
}

/** Matches rows by an optimal assignment. A judge model may then match the remaining rows. */
async function matchRows(
  gold: GoldTable,
  left: RawTable,
  right: RawTable,
  judge: Judge,
  tally: JudgeTally,
  verdict: (goldRow: number, row: number, target: number) => CellRating | null,
): Promise<RowMatching> {
  const targets = gold.targetColumns.length
  const agreement = (goldRow: number, row: number): number => {
    let sum = 0
    for (let target = 0; target < targets; target += 1) sum += verdict(goldRow, row, target)?.score ?? 0
    return targets === 0 ? 0 : sum / targets
  }
  const normalise = keyNormaliser(gold)
  const rowOf = matchRowsOptimally(left, right, normalise, agreement)
  const judgedRows = new Set<number>()
  let failedRows = 0
  if (judge.kind === 'model') {
    const matched = new Set(rowOf.values())
    for (const [row, key] of right.keys.entries()) {
      if (matched.has(row)) continue
      const free = left.keys.flatMap((goldKey, goldRow) =>
        rowOf.has(goldRow) ? [] : [{ goldRow, text: pythonKeyText(goldKey) }],
      )
      if (free.length === 0) break
      const picked = await pickRow(
        judge,
        tally,
        gold.keyColumns,
        pythonKeyText(key),
        free.map(entry => entry.text),
      )
      if (picked === null) failedRows += 1
      const found = free.find(entry => entry.text === picked?.key)
      if (found === undefined) continue
      rowOf.set(found.goldRow, row)
      judgedRows.add(row)
    }
  }
  return {
    rowOf,
    failedRows,
    describe: (goldRow, row) =>
      judgedRows.has(row)
        ? matchByJudge(row)
        : describeRowMatch(row, rowKey(left, goldRow), rowKey(right, row), normalise),
  }
}

const rowKey = (table: RawTable, row: number) => ({
  parts: table.keys[row]!,
  text: pythonKeyText(table.keys[row]!),
})
