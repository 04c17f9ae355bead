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
  /** A key, or any other plain text, is a string. */
  readonly rows: readonly (readonly (string | CellData)[])[]
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
  /** Null where the answer has nothing to compare. */
  readonly predicted: string | null
  /** Null where a judge failed. */
  readonly score: number | null
  readonly rule: string
  /** '' where it is not known. */
  readonly class: string
  /** The answer row that it was compared with, in words; '' without one. */
  readonly match: string
}
