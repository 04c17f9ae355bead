import type { JudgeTally } from '../judge/tally.ts'
import type { AlignedAnswer } from './aligned-answer.ts'
import type { ComparedCell, TableComparison } from './comparison.ts'
import type { GoldTable } from './gold-table.ts'
import { countUndecidedRows } from './measures.ts'
import type { CellRating } from './rating.ts'
import { ratings } from './rating.ts'
import type { RowMatch } from './row-match.ts'

/** Returns the rating of a matched gold cell. */
type RateMatchedCell = (goldRow: number, target: number) => CellRating

/** What the cells of two matched tables are made of. */
interface MatchedTables {
  readonly gold: GoldTable
  readonly answer: AlignedAnswer
  /** The answer's row of each gold row. */
  readonly rowOf: ReadonlyMap<number, number>
  /** The number of unmatched gold rows that are unscored; the others score 0. */
  readonly openRows: number
  readonly rate: RateMatchedCell
}

/** Lists every gold cell with its rating. */
function compareCells({ gold, answer, rowOf, openRows, rate }: MatchedTables): ComparedCell[] {
  const goldColumns = gold.targetColumns.map(name => gold.values.get(name)!)
  const answerColumns = gold.targetColumns.map(name => answer.columnOf(name))
  const cells: ComparedCell[] = []
  let unmatchedRows = 0
  for (let goldRow = 0; goldRow < gold.rowCount; goldRow += 1) {
    const answerRow = rowOf.get(goldRow)
    if (answerRow === undefined) unmatchedRows += 1
    const unmatched = unmatchedRows > openRows ? ratings.unmatchedRow : ratings.judgeFailed
    for (const [target, column] of gold.targetColumns.entries()) {
      cells.push({
        goldRow,
        column,
        gold: goldColumns[target]![goldRow]!,
        predicted: answerRow === undefined ? null : (answerColumns[target]?.[answerRow] ?? ''),
        rating: answerRow === undefined ? unmatched : rate(goldRow, target),
      })
    }
  }
  return cells
}

/** Lists every gold cell with the same rating. */
function rateAllCells(gold: GoldTable, reason: CellRating): ComparedCell[] {
  return Array.from({ length: gold.rowCount }, (_, goldRow) =>
    gold.targetColumns.map(column => ({
      goldRow,
      column,
      gold: gold.values.get(column)![goldRow]!,
      predicted: null,
      rating: reason,
    })),
  ).flat()
}

/** Which rows of gold and answer were matched. */
export interface RowMatching {
  /** The answer's row of each gold row that has one. */
  readonly rowOf: ReadonlyMap<number, number>
  /** The number of answer rows on which a judge failed: their gold rows are unknown. */
  readonly failedRows: number
  /**
   * Describes how a gold row and its answer row were matched. Computed on request, because batch scoring never needs
   * it.
   */
  describe(goldRow: number, row: number): RowMatch
}

/** Two tables whose rows are matched and whose cells are rated. */
interface ComparedTables {
  readonly gold: GoldTable
  readonly answer: AlignedAnswer
  readonly matching: RowMatching
  readonly rate: RateMatchedCell
  readonly tally: JudgeTally
}

/**
 * Creates the comparison of two tables. Cells of unmatched gold rows score 0. When a judge failed on rows, as many
 * unmatched gold rows are unscored: it is unknown which ones, so the first are taken.
 */
export function createComparison({ gold, answer, matching, rate, tally }: ComparedTables): TableComparison {
  const { rowOf, failedRows } = matching
  const rows = { goldRows: gold.rowCount, matchedRows: rowOf.size, failedRows }
  return {
    ...rows,
    predictedRows: answer.rowCount,
    cells: compareCells({ gold, answer, rowOf, openRows: countUndecidedRows(rows), rate }),
    matchedTargets: answer.matchedTargets,
    nonKeyColumns: answer.nonKeyColumns,
    spuriousColumns: answer.spuriousColumns,
    judgeUsage: tally.usage(),
    answer,
    matchOf: cacheMatches(matching),
  }
}

/** Describes each match once, when it is first asked for. */
function cacheMatches({ rowOf, describe }: RowMatching): (goldRow: number) => RowMatch | null {
  const matches = new Map<number, RowMatch>()
  return goldRow => {
    const row = rowOf.get(goldRow)
    if (row === undefined) return null
    const match = matches.get(goldRow) ?? describe(goldRow, row)
    matches.set(goldRow, match)
    return match
  }
}

/**
 * Creates the comparison when nothing could be compared: every cell has the same rating, and the answer counts as
 * empty.
 */
export function createUniformComparison(
  gold: GoldTable,
  reason: CellRating,
  tally: JudgeTally,
): TableComparison {
  return {
    goldRows: gold.rowCount,
    predictedRows: 0,
    matchedRows: 0,
    failedRows: 0,
    cells: rateAllCells(gold, reason),
    matchedTargets: 0,
    nonKeyColumns: 0,
    spuriousColumns: 0,
    judgeUsage: tally.usage(),
    answer: null,
    matchOf: () => null,
  }
}
