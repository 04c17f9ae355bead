/** Precision, recall and their harmonic mean. */
export interface Measures {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** `found` over what was predicted and over what is in the gold; a share of nothing is 0. */
export function measuresOf(found: number, predicted: number, gold: number): Measures {
  const precision = predicted > 0 ? found / predicted : 0
  const recall = gold > 0 ? found / gold : 0
  const f1 = precision + recall > 0 ? (2 * (precision * recall)) / (precision + recall) : 0
  return { precision, recall, f1 }
}

/** What a comparison of tables counted. */
export interface TableCounts {
  readonly goldRows: number
  readonly predictedRows: number
  readonly matchedRows: number
  /** Rows of the answer on which a judge failed. */
  readonly failedRows: number
  readonly targets: number
  readonly sum: number
  /** Cells of matched rows on which a judge failed. */
  readonly failedCells: number
}

/**
 * Gold rows without a match of which it is not known whether they have one: at most one for each row that a judge failed
 * on, and all where it failed and none is matched.
 */
export function openRowsOf(n: Pick<TableCounts, 'goldRows' | 'matchedRows' | 'failedRows'>): number {
  if (n.failedRows > 0 && n.matchedRows === 0) return n.goldRows
  return Math.min(n.failedRows, n.goldRows - n.matchedRows)
}

/** Of rows and of cells; what a judge failed on counts on neither side. */
export function tableMeasures(n: TableCounts): { row: Measures; cell: Measures } {
  const predicted = n.predictedRows - n.failedRows
  const gold = n.goldRows - openRowsOf(n)
  const cellsOf = (rows: number): number => rows * n.targets - n.failedCells
  return {
    row: measuresOf(n.matchedRows, predicted, gold),
    cell: measuresOf(n.sum, cellsOf(predicted), cellsOf(gold)),
  }
}
