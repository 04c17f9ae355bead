import type { InterventionKind } from '../../core/fork.ts'
import type { PlacedEvidence } from '../../core/scored-item.ts'
import type { ShownTrace } from '../trace/trace-steps.ts'

/** The data of an attempt's page. The report writes it into the HTML file, and the page's script reads it. */
export interface AttemptData {
  readonly id: string
  readonly taskId: string
  readonly title: string
  /** Pairs of name and value, in reading order. */
  readonly facts: readonly (readonly [string, string])[]
  /** The question, then the further questions of a conversation. Empty when the task is not available. */
  readonly questions: readonly string[]
  readonly documentNames: readonly string[]
  /** Online only: how many of the task's documents reached each stage of discovery. */
  readonly funnel: readonly { readonly stage: string; readonly reached: number; readonly of: number }[]
  readonly discovery: readonly (readonly string[])[]
  readonly scorings: readonly ScoringData[]
  readonly answer: {
    readonly note: string
    readonly header: readonly string[]
    readonly rows: readonly (readonly string[])[]
    /** A JSON value or a text, shown as it is. Null for tables and missing answers. */
    readonly text: string | null
  }
  /** The forks of the same source, in the order of the steps at which they part from it. Empty for an attempt that is no fork. */
  readonly forks: readonly ForkData[]
  /** Null when the trace is not part of the file. */
  readonly trace: ShownTrace | null
}

/** A fork in the tree of an attempt's page. */
export interface ForkData {
  readonly id: string
  /** The first step that was asked live. */
  readonly step: number
  readonly change: InterventionKind
  /** Such as a document or a budget; null when the change has none. */
  readonly value: string | null
  readonly end: string
  /** Right items; null when it is unscored. */
  readonly right: number | null
  /** The names of the items that are right here and not in the fork without a change, and the reverse. */
  readonly regained: readonly string[]
  readonly lost: readonly string[]
}

/** What an attempt's page shows for one score. */
export interface ScoringData {
  readonly title: string
  /** The scores in one line. */
  readonly result: string
  /** The columns of the gold table, keys first. */
  readonly columns: readonly string[]
  /** Keys and other plain texts are strings. */
  readonly rows: readonly (readonly (string | CellData)[])[]
  /** Sentences that explain the score. */
  readonly explanation: readonly string[]
  /** The cells that another scorer rates differently. Null when there are none. */
  readonly difference: DifferenceData | null
}

/** The cells that another scorer rates differently, as a table of texts. */
export interface DifferenceData {
  readonly title: string
  readonly remark: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** One compared value: a cell of a table, or another item of the gold. */
export interface CellData {
  /** The index of the item in its score. */
  readonly item: number
  readonly gold: string
  /** Null when the answer has nothing to compare. */
  readonly predicted: string | null
  /** Null when a judge failed. */
  readonly score: number | null
  readonly rule: string
  /** Empty when the class is unknown. */
  readonly class: string
  /** The answer row that it was compared with, in words. Empty when there is none. */
  readonly match: string
  /** The number of this row, from 0. Absent when there is none. */
  readonly row?: number
  /** Where the value is written, and what the attempt did with that line. Absent when not known. */
  readonly evidence?: PlacedEvidence
}

/** Returns the name of the file with the trace of an attempt. In a page over several runs, the id contains a slash. */
export function traceFileName(attemptId: string): string {
  return `${attemptId.replace(/[/\\:]/g, '~')}.js`
}
