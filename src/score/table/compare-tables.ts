import type { JudgeTally } from '../judge/tally.ts'
import type { TableComparison } from '../profile.ts'
import type { AlignedAnswer } from './aligned-answer.ts'
import { cellsWithout, comparedCells } from './compared-cells.ts'
import type { GoldTable } from './gold-table.ts'
import { type CellRating, ratings } from './rating.ts'

/** Which rows belong together. */
export interface RowMatching {
  /** The answer's row of each gold row that has one. */
  readonly rowOf: ReadonlyMap<number, number>
  /** Rows of the answer on which a judge failed: what they belong to is not known. */
  readonly failedRows: number
}

/** Puts a comparison together. Gold rows without a match are 0, or unscored where a judge failed on some row. */
export function comparisonOf(
  gold: GoldTable,
  answer: AlignedAnswer,
  matching: RowMatching,
  rate: (goldRow: number, target: number, answerRow: number) => CellRating,
  tally: JudgeTally,
): TableComparison {
  const unmatched = matching.failedRows > 0 ? ratings.judgeFailed : ratings.unmatchedRow
  return {
    goldRows: gold.rowCount,
    predictedRows: answer.rowCount,
    matchedRows: matching.rowOf.size,
    failedRows: matching.failedRows,
    cells: comparedCells(gold, answer, matching.rowOf, unmatched, rate),
    matchedTargets: answer.matchedTargets,
    nonKeyColumns: answer.nonKeyColumns,
    spuriousColumns: answer.spuriousColumns,
    judgeUsage: tally.usage(),
  }
}

/** Nothing could be compared: every cell has the one rating, and the answer counts as without rows. */
export function comparisonWithout(gold: GoldTable, reason: CellRating, tally: JudgeTally): TableComparison {
  return {
    goldRows: gold.rowCount,
    predictedRows: 0,
    matchedRows: 0,
    failedRows: 0,
    cells: cellsWithout(gold, reason),
    matchedTargets: 0,
    nonKeyColumns: 0,
    spuriousColumns: 0,
    judgeUsage: tally.usage(),
  }
}
