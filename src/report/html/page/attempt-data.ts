import type { TraceStep } from '../../trace/trace-steps.ts'

/** What the page of one attempt shows: written by the report, read in the browser. */
export interface AttemptData {
  readonly id: string
  readonly title: string
  /** Name and value, in reading order. */
  readonly facts: readonly (readonly [string, string])[]
  readonly query: string | null
  readonly documentNames: readonly string[]
  /** online: how many of the task's documents came how far. */
  readonly funnel: readonly { readonly stage: string; readonly reached: number; readonly of: number }[]
  readonly discovery: readonly (readonly string[])[]
  readonly scorings: readonly ScoringData[]
  readonly answer: {
    readonly note: string
    readonly header: readonly string[]
    readonly rows: readonly (readonly string[])[]
    /** Shown as it is: JSON or a text; null where there is none. */
    readonly text: string | null
  }
  /** Null: not inlined. */
  readonly trace: readonly TraceStep[] | null
}

export interface ScoringData {
  readonly title: string
  /** The scores in one line. */
  readonly result: string
  /** The gold table's columns, keys first. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly CellData[])[]
  /** Why the score is what it is; empty in records of older versions. */
  readonly explanation: readonly string[]
  /** The cells that another profile decides differently; null when there are none. */
  readonly difference: DifferenceData | null
}

/** What another profile decides differently, as a table of texts. */
export interface DifferenceData {
  readonly title: string
  readonly remark: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface CellData {
  readonly gold: string
  /** Null for a key and where no row matched. */
  readonly predicted: string | null
  /** Null for a key. */
  readonly score: number | null
  readonly rule: string
  /** '' for a key, and where the ledger did not run. */
  readonly class: string
  /** The answer row that it was compared with, in words; '' for a key, and when no row matched. */
  readonly match: string
}
