import type { JudgeTally } from '../judge/tally.ts'
import type { AlignedAnswer } from './aligned-answer.ts'
import { cellsWithout, comparedCells } from './compared-cells.ts'
import type { TableComparison } from './comparison.ts'
import type { GoldTable } from './gold-table.ts'
import { openRowsOf } from './measures.ts'
import type { CellRating } from './rating.ts'
import type { RowMatch } from './row-match.ts'

/** Which rows belong together. */
export interface RowMatching {
  /** The answer's row of each gold row that has one. */
  readonly rowOf: ReadonlyMap<number, number>
  /** Rows of the answer on which a judge failed: what they belong to is not known. */
  readonly failedRows: number
  /** How a gold row and its answer row were matched. Computed on request: batch scoring never asks. */
  describe(goldRow: number, row: number): RowMatch
}

/**
 * Puts a comparison together. Gold rows without a match are 0; where a judge failed on rows, as many are unscored: which of
 * them those rows mean is not known, so the first stand for them.
 */
export function comparisonOf(
  gold: GoldTable,
  answer: AlignedAnswer,
  matching: RowMatching,
  rate: (goldRow: number, target: number, answerRow: number) => CellRating,
  tally: JudgeTally,
): TableComparison {
  const { rowOf, failedRows } = matching
  const rows = { goldRows: gold.rowCount, matchedRows: rowOf.size, failedRows }
  return {
    ...rows,
    predictedRows: answer.rowCount,
    cells: comparedCells(gold, answer, rowOf, openRowsOf(rows), rate),
    matchedTargets: answer.matchedTargets,
    nonKeyColumns: answer.nonKeyColumns,
    spuriousColumns: answer.spuriousColumns,
    judgeUsage: tally.usage(),
    answer,
    matchOf: rememberingMatches(matching),
  }
}

/** Describes each match once, when it is first asked for. */
function rememberingMatches({ rowOf, describe }: RowMatching): (goldRow: number) => RowMatch | null {
  const known = new Map<number, RowMatch>()
  return goldRow => {
    const row = rowOf.get(goldRow)
    if (row === undefined) return null
    const match = known.get(goldRow) ?? describe(goldRow, row)
    known.set(goldRow, match)
    return match
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
    answer: null,
    matchOf: () => null,
  }
}
