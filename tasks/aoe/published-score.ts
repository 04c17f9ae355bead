import type { CellGrid } from '../../src/score/table/cell-grid.ts'
import { computeTableMeasures } from '../../src/score/table/measures.ts'
import { areCellsEqual, type PreparedColumn, type PreparedTable, prepareTable } from './aoe-table.ts'
import { createRowMatcher } from './row-matcher.ts'

/** The output of AOE's published scorer, with its own field names. */
export interface PublishedFields {
  readonly num_initial_target_cols: number
  readonly num_valid_target_cols_in_gold: number
  readonly column_recall: number
  readonly num_gold_rows: number
  readonly num_original_mapped_rows: number
  readonly num_matched_rows: number
  readonly num_missing_rows_gold_only: number
  readonly num_extra_rows_mapped_only: number
  readonly row_precision: number
  readonly row_recall: number
  readonly row_f1: number
  readonly tp_score_sum: number
  readonly total_gold_target_cells: number
  readonly total_mapped_target_cells_corresp_gold_schema: number
  readonly cell_precision: number
  readonly cell_recall: number
  readonly cell_f1: number
  readonly total_compared_cells_in_matched: number
  readonly average_cell_score_in_matched: number
}

/** A gold table with the roles of its columns. */
interface PublishedGold {
  readonly grid: CellGrid
  readonly keyColumns: readonly string[]
  readonly targetColumns: readonly string[]
  readonly numericColumns: readonly string[]
}

/**
 * Scores a table as AOE's published code does without its language model (arXiv 2507.16271, its evaluation
 * code). It matches columns by equal name, rows by key and cells by value. The table is taken as it is.
 */
export function scoreAsPublished(gold: PublishedGold, answer: CellGrid): PublishedFields {
  const columns = {
    keyColumns: gold.keyColumns,
    targetColumns: gold.targetColumns.filter(name => gold.grid.header.includes(name)),
    numericColumns: new Set(gold.numericColumns),
  }
  const goldReady = prepareTable(gold.grid, name => gold.grid.header.indexOf(name), columns)
  const answerReady = prepareTable(answer, name => answer.header.indexOf(name), columns)
  const pairs = listMatchedPairs(goldReady, answerReady)
  let sum = 0
  for (let i = 0; i < goldReady.targets.length; i += 1)
    sum += countAgreeing(goldReady.targets[i]!, answerReady.targets[i]!, pairs)
  return makePublishedFields({
    declared: gold.targetColumns.length,
    targets: columns.targetColumns.length,
    goldRows: gold.grid.rowCount,
    rows: answer.rowCount,
    matched: pairs.length / 2,
    sum,
  })
}

/** The matched rows as a flat list: gold row, answer row, gold row, … */
function listMatchedPairs(gold: PreparedTable, answer: PreparedTable): number[] {
  const matcher = createRowMatcher(gold.keyTexts, null)
  const pairs: number[] = []
  for (let row = 0; row < answer.rowCount; row += 1) {
    const goldRow = matcher.find(answer.keyTexts[row]!, null)
    if (goldRow === null) continue
    matcher.take(goldRow)
    pairs.push(goldRow, row)
  }
  return pairs
}

function countAgreeing(gold: PreparedColumn, answer: PreparedColumn, pairs: readonly number[]): number {
  let count = 0
  for (let i = 0; i < pairs.length; i += 2)
    if (areCellsEqual(gold, pairs[i]!, answer, pairs[i + 1]!)) count += 1
  return count
}

/**
 * Computes the published fields from the counts. Rows of the answer and cells of matched rows on which a judge failed
 * count on neither side.
 */
export function makePublishedFields(n: {
  declared: number
  targets: number
  goldRows: number
  rows: number
  matched: number
  sum: number
  failed?: { readonly rows: number; readonly cells: number }
}): PublishedFields {
  const failedCells = n.failed?.cells ?? 0
  const { row, cell } = computeTableMeasures({
    goldRows: n.goldRows,
    predictedRows: n.rows,
    matchedRows: n.matched,
    failedRows: n.failed?.rows ?? 0,
    targets: n.targets,
    sum: n.sum,
    failedCells,
  })
  const compared = n.matched * n.targets - failedCells
  return {
    num_initial_target_cols: n.declared,
    num_valid_target_cols_in_gold: n.targets,
    column_recall: n.declared > 0 ? n.targets / n.declared : 0,
    num_gold_rows: n.goldRows,
    num_original_mapped_rows: n.rows,
    num_matched_rows: n.matched,
    num_missing_rows_gold_only: n.goldRows - n.matched,
    num_extra_rows_mapped_only: n.rows - n.matched,
    row_precision: row.precision,
    row_recall: row.recall,
    row_f1: row.f1,
    tp_score_sum: n.sum,
    total_gold_target_cells: n.goldRows * n.targets,
    total_mapped_target_cells_corresp_gold_schema: n.rows * n.targets,
    cell_precision: cell.precision,
    cell_recall: cell.recall,
    cell_f1: cell.f1,
    total_compared_cells_in_matched: compared,
    average_cell_score_in_matched: compared > 0 ? n.sum / compared : 0,
  }
}
