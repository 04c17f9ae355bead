import type { JudgeUsage } from '../../core/score.ts'
import type { Judge } from '../contract/judge.ts'
import type { CsvTable } from '../pandas/csv.ts'
import type { AlignedAnswer } from './aligned-answer.ts'
import type { GoldTable } from './gold-table.ts'
import type { CellRating } from './rating.ts'
import type { RowMatch } from './row-match.ts'

/** The input of a comparison. */
export interface TablesToCompare {
  readonly gold: GoldTable
  readonly answer: CsvTable
  readonly judge: Judge
  /** The answer as written, which AOE's published prompts show. Absent: its table as CSV. */
  readonly answerText?: string
}

/** A compared gold cell. `predicted` is null when its row has no match. */
export interface ComparedCell {
  readonly goldRow: number
  readonly column: string
  readonly gold: string
  readonly predicted: string | null
  readonly rating: CellRating
}

/** The comparison of an answer with the gold. The metrics are computed from it. */
export interface TableComparison {
  readonly goldRows: number
  readonly predictedRows: number
  readonly matchedRows: number
  /** The number of answer rows on which a judge failed. */
  readonly failedRows: number
  /** Every gold cell of every target, in gold order. */
  readonly cells: readonly ComparedCell[]
  /** The number of gold targets that a predicted column was aligned with. */
  readonly matchedTargets: number
  /** The number of predicted columns that were not aligned with a gold key column. */
  readonly nonKeyColumns: number
  /** The number of predicted columns that were not aligned with any gold column. */
  readonly spuriousColumns: number
  readonly judgeUsage: JudgeUsage
  /** The answer under the gold's columns; null when nothing could be compared. */
  readonly answer: AlignedAnswer | null
  /** The answer row of a gold row and how it was matched; null when the gold row has no match. */
  matchOf(goldRow: number): RowMatch | null
}

/** Compares a table with the gold. */
export type CompareTables = (tables: TablesToCompare) => Promise<TableComparison>
