/** Precision, recall and their harmonic mean. */
export interface Measures {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** Precision, recall and F1 from counts. A share of nothing is 0. */
export function measuresOf(found: number, predicted: number, gold: number): Measures {
  const precision = predicted > 0 ? found / predicted : 0
  const recall = gold > 0 ? found / gold : 0
  const f1 = precision + recall > 0 ? (2 * (precision * recall)) / (precision + recall) : 0
  return { precision, recall, f1 }
}

/** The counts of a comparison of tables. */
export interface TableCounts {
  readonly goldRows: number
  readonly predictedRows: number
  readonly matchedRows: number
  /** The number of answer rows on which a judge failed. */
  readonly failedRows: number
  readonly targets: number
  readonly sum: number
  /** The number of cells of matched rows on which a judge failed. */
  readonly failedCells: number
}

/**
 * The number of unmatched gold rows that may have a match. It is at most one for each row on which a judge
 * failed, and all when it failed and none is matched.
 */
export function undecidedRowsOf(n: Pick<TableCounts, 'goldRows' | 'matchedRows' | 'failedRows'>): number {
  if (n.failedRows > 0 && n.matchedRows === 0) return n.goldRows
  return Math.min(n.failedRows, n.goldRows - n.matchedRows)
}

/** Measures of rows and of cells. Rows and cells on which a judge failed count on neither side. */
export function tableMeasures(n: TableCounts): { row: Measures; cell: Measures } {
  const predicted = n.predictedRows - n.failedRows
  const gold = n.goldRows - undecidedRowsOf(n)
  const cellsOf = (rows: number): number => rows * n.targets - n.failedCells
  return {
    row: measuresOf(n.matchedRows, predicted, gold),
    cell: measuresOf(n.sum, cellsOf(predicted), cellsOf(gold)),
  }
}

/** The measures if all that a judge left open were wrong, and if all of it were right. */
export function boundsOfMeasures(n: TableCounts): {
  low: ReturnType<typeof tableMeasures>
  high: ReturnType<typeof tableMeasures>
} {
  const joined = Math.min(n.failedRows, n.goldRows - n.matchedRows)
  const decided = { ...n, failedRows: 0, failedCells: 0 }
  return {
    low: tableMeasures(decided),
    high: tableMeasures({
      ...decided,
      matchedRows: n.matchedRows + joined,
      sum: n.sum + n.failedCells + joined * n.targets,
    }),
  }
}
