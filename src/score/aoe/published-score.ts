import type { CsvTable } from '../pandas/csv.ts'
import { type GoldSource, goldTableOf } from '../table/gold-table.ts'
import { measuresOf } from '../table/measures.ts'
import { cellsAgree, type PreparedTable, type PreparedTarget, prepareTable } from './aoe-table.ts'
import { createRowMatcher } from './row-matcher.ts'

/** The published scorer's own field names. */
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

/**
 * AOE's published scorer without its language model, on a table that is taken as it stands: columns by equal name,
 * rows by key, cells by value. `answer` null scores as a table without rows.
 */
export function publishedScore(gold: GoldSource, answer: CsvTable | null): PublishedFields {
  const goldTable = goldTableOf(gold)
  const { targetColumns, rowCount: goldRows } = goldTable
  const rows = answer?.rows ?? []
  const header = answer?.header ?? []
  const goldReady = prepareTable(goldRows, name => goldTable.values.get(name) ?? null, goldTable)
  const answerReady = prepareTable(rows.length, name => columnValues(rows, header.indexOf(name)), goldTable)
  const pairs = matchedPairs(goldReady, answerReady)
  const matched = pairs.length / 2
  let sum = 0
  for (const [i, target] of goldReady.targets.entries())
    sum += countAgreeing(target, answerReady.targets[i]!, pairs)
  return publishedFields({
    declared: goldTable.declaredTargets,
    targets: targetColumns.length,
    goldRows,
    rows: rows.length,
    matched,
    sum,
  })
}

function columnValues(rows: readonly (readonly string[])[], column: number): string[] | null {
  if (column < 0) return null
  const values: string[] = []
  for (const row of rows) values.push(row[column]!)
  return values
}

/** Gold row, answer row, gold row, … */
function matchedPairs(gold: PreparedTable, answer: PreparedTable): number[] {
  const matcher = createRowMatcher(gold.keyTexts, null)
  const pairs: number[] = []
  for (let row = 0; row < answer.rowCount; row += 1) {
    const match = matcher.find(answer.keyTexts[row]!, null)
    if (match === null) continue
    matcher.take(match.goldRow)
    pairs.push(match.goldRow, row)
  }
  return pairs
}

function countAgreeing(gold: PreparedTarget, answer: PreparedTarget, pairs: readonly number[]): number {
  let count = 0
  for (let i = 0; i < pairs.length; i += 2) if (cellsAgree(gold, pairs[i]!, answer, pairs[i + 1]!)) count += 1
  return count
}

/** The published field names from the counts: predicted rows, matched rows, and the sum of cell scores. */
export function publishedFields(n: {
  declared: number
  targets: number
  goldRows: number
  rows: number
  matched: number
  sum: number
}): PublishedFields {
  const row = measuresOf(n.matched, n.rows, n.goldRows)
  const cell = measuresOf(n.sum, n.rows * n.targets, n.goldRows * n.targets)
  const compared = n.matched * n.targets
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
