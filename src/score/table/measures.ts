import { measureOverlap, type Overlap } from '../fuzzy/overlap.ts'

/** The rows of a comparison of tables. */
interface RowCounts {
  readonly goldRows: number
  readonly matchedRows: number
  /** The number of answer rows on which a judge failed. */
  readonly failedRows: number
}

/** The counts of a comparison of tables. */
export interface TableCounts extends RowCounts {
  readonly predictedRows: number
  readonly targets: number
  readonly sum: number
  /** The number of cells of matched rows on which a judge failed. */
  readonly failedCells: number
}

/**
 * The number of unmatched gold rows that may have a match. It is at most one for each row on which a judge
 * failed, and all when it failed and none is matched.
 */
export function countUndecidedRows(n: RowCounts): number {
  if (n.failedRows > 0 && n.matchedRows === 0) return n.goldRows
  return Math.min(n.failedRows, n.goldRows - n.matchedRows)
}

/** Measures of rows and of cells. Rows and cells on which a judge failed count on neither side. */
export function computeTableMeasures(n: TableCounts): { row: Overlap; cell: Overlap } {
  const predicted = n.predictedRows - n.failedRows
  const gold = n.goldRows - countUndecidedRows(n)
  const cellsOf = (rows: number): number => rows * n.targets - n.failedCells
  return {
    row: measureOverlap(n.matchedRows, predicted, gold),
    cell: measureOverlap(n.sum, cellsOf(predicted), cellsOf(gold)),
  }
}

/** The measures if all that a judge left open were wrong, and if all of it were right. */
export function boundTableMeasures(n: TableCounts): {
  low: ReturnType<typeof computeTableMeasures>
  high: ReturnType<typeof computeTableMeasures>
} {
  const joined = Math.min(n.failedRows, n.goldRows - n.matchedRows)
  const decided = { ...n, failedRows: 0, failedCells: 0 }
  return {
    low: computeTableMeasures(decided),
    high: computeTableMeasures({
      ...decided,
      matchedRows: n.matchedRows + joined,
      sum: n.sum + n.failedCells + joined * n.targets,
    }),
  }
}
