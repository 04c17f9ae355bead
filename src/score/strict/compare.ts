import { readPeriod } from '../../text/dates.ts'
import { withPlainNumerals } from '../../text/key-figures.ts'
import { composeUnicode } from '../../text/numbers.ts'
import { withOwnPrompts } from '../contract/judge.ts'
import { pickRows, type RowsToPick } from '../judge/pick-row.ts'
import { createTally, type JudgeTally } from '../judge/tally.ts'
import { createComparison, createUniformComparison, type RowMatching } from '../table/compare-tables.ts'
import type { TableComparison, TablesToCompare } from '../table/comparison.ts'
import { createKeyNormaliser } from '../table/key-normaliser.ts'
import { rateMatched } from '../table/rate-matched.ts'
import { type CellRating, ratings } from '../table/rating.ts'
import { alignRawTables, type RawTables } from '../table/raw-comparison.ts'
import { makeRawKey } from '../table/raw-table.ts'
import { createMatchDescriber } from '../table/row-match.ts'
import { matchRowsOptimally } from './match-rows.ts'
import { rateStrictly } from './rate-cell.ts'

/**
 * Compares tables with Tablehunt's own rules. Unlike in the paper's scorer, rows are matched by an optimal
 * assignment, and numbers, dates and units are compared by meaning.
 */
export async function compareStrictly(input: TablesToCompare): Promise<TableComparison> {
  const tables = { ...input, judge: withOwnPrompts(input.judge) }
  const { gold, judge } = tables
  const tally = createTally()
  const raw = await alignRawTables(tables, tally, true)
  if (raw === null) return createUniformComparison(gold, ratings.judgeFailed, tally)
  const rateByRules = createStrictRules(tables, raw)
  const matching = await matchRows(tables, raw, rateByRules, tally)
  const rate = await rateMatched(
    matching.rowOf,
    gold.targetColumns.length,
    (goldRow, row, target) => rateByRules(goldRow, row, target) ?? raw.cellAt(goldRow, row, target),
    { judge, tally, allowBatch: true, publishedAsks: () => true, cellAt: raw.cellAt },
  )
  return createComparison({ gold, answer: raw.aligned, matching, rate, tally })
}

/** Rates a cell by rules; null when a judge must decide. */
type RateByRules = (goldRow: number, row: number, target: number) => CellRating | null

function createStrictRules({ gold, answer }: TablesToCompare, raw: RawTables): RateByRules {
  const columns = gold.targetColumns.map((name, target) => {
    const position = raw.alignment[gold.keyColumns.length + target] ?? null
    const predicted = position === null ? null : answer.header[position]!
    return { gold: name, predicted, numeric: gold.numericColumns.has(name) }
  })
  return (goldRow, row, target) =>
    rateStrictly(raw.gold.targets[target]![goldRow]!, raw.answer.targets[target]![row]!, columns[target]!)
}

/** Writes a part of a key so that equal dates and numbers are equal: 31 March 2024 and 2024-03-31, First and 1st. */
const writeByMeaning = (part: string): string => readPeriod(part) ?? withPlainNumerals(composeUnicode(part))

/** Matches rows by an optimal assignment. A judge model may then match the remaining rows. */
async function matchRows(
  { gold, judge }: TablesToCompare,
  raw: RawTables,
  rateByRules: RateByRules,
  tally: JudgeTally,
): Promise<RowMatching> {
  const targets = gold.targetColumns.length
  const agreement = (goldRow: number, row: number): number => {
    let sum = 0
    for (let target = 0; target < targets; target += 1) sum += rateByRules(goldRow, row, target)?.score ?? 0
    return targets === 0 ? 0 : sum / targets
  }
  const normaliseParts = createKeyNormaliser(gold)
  const normalise = (key: readonly string[]): string => normaliseParts(key.map(writeByMeaning))
  const rowOf = await matchRowsOptimally(raw.gold, raw.answer, normalise, agreement)
  const { judgedRows, failedRows } =
    judge.kind === 'model'
      ? await pickRows(judge, tally, { keyColumns: gold.keyColumns, ...listUnmatchedRows(raw, rowOf) })
      : { judgedRows: new Set<number>(), failedRows: 0 }
  return {
    rowOf,
    failedRows,
    describe: createMatchDescriber({
      goldKey: goldRow => makeRawKey(raw.gold, goldRow),
      answerKey: row => makeRawKey(raw.answer, row),
      normalise,
      judgedRows,
    }),
  }
}

/** The rows that the assignment left, for a judge. A match is added to `rowOf`. */
function listUnmatchedRows(raw: RawTables, rowOf: Map<number, number>): Omit<RowsToPick, 'keyColumns'> {
  const matched = new Set(rowOf.values())
  const goldKeys = raw.gold.keys.map((_, goldRow) => ({ goldRow, text: makeRawKey(raw.gold, goldRow).text }))
  return {
    rows: raw.answer.keys
      .map((_, row) => ({ row, text: makeRawKey(raw.answer, row).text }))
      .filter(({ row }) => !matched.has(row)),
    freeKeys: () => goldKeys.filter(({ goldRow }) => !rowOf.has(goldRow)),
    take: (goldRow, row) => rowOf.set(goldRow, row),
  }
}
