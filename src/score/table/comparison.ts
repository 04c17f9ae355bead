import type { JudgeUsage } from '../../core/score.ts'
import type { Judge } from '../judge/judge.ts'
import type { CsvTable } from '../pandas/csv.ts'
import type { AlignedAnswer } from './aligned-answer.ts'
import type { GoldTable } from './gold-table.ts'
import type { CellRating } from './rating.ts'
import type { RowMatch } from './row-match.ts'

export interface TablesToCompare {
  readonly gold: GoldTable
  readonly answer: CsvTable
  readonly judge: Judge
}

/** One gold cell as compared: `predicted` null where its row has no match. */
export interface ComparedCell {
  readonly goldRow: number
  readonly column: string
  readonly gold: string
  readonly predicted: string | null
  readonly rating: CellRating
}

/** What comparing an answer with the gold gave; the measures follow from it. */
export interface TableComparison {
  readonly goldRows: number
  readonly predictedRows: number
  readonly matchedRows: number
  /** Rows of the answer on which a judge failed. */
  readonly failedRows: number
  /** Every gold cell of every target, in gold order. */
  readonly cells: readonly ComparedCell[]
  /** Gold targets that a predicted column was aligned with. */
  readonly matchedTargets: number
  /** Predicted columns that no gold key column was aligned with. */
  readonly nonKeyColumns: number
  /** Predicted columns that no gold column at all was aligned with. */
  readonly spuriousColumns: number
  readonly judgeUsage: JudgeUsage
  /** The answer under the gold's columns; null when nothing could be compared. */
  readonly answer: AlignedAnswer | null
  /** The answer row of a gold row and how it was matched; null when the gold row has no match. */
  matchOf(goldRow: number): RowMatch | null
}

/** Compares a table with the gold; the metrics follow from the comparison. */
export type CompareTables = (tables: TablesToCompare) => Promise<TableComparison>
