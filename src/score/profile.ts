import type { JudgeUsage } from '../core/score.ts'
import type { Judge } from './judge/judge.ts'
import type { CsvTable } from './pandas/csv.ts'
import type { AlignedAnswer } from './table/aligned-answer.ts'
import type { GoldTable } from './table/gold-table.ts'
import type { CellRating } from './table/rating.ts'
import type { RowMatch } from './table/row-match.ts'

export interface ProfileInput {
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

/** A way to compare an answer with the gold; a new one is a file and a line in the registry. */
export interface Profile {
  /** One line for --help. */
  readonly summary: string
  compare(input: ProfileInput): Promise<TableComparison>
}
