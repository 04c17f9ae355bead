import type { MetricDefinition } from '../../core/metric.ts'
import type { AttemptColumns, PageArm, PageTask } from './page-data.ts'

/** What a person wrote about a run. Kept in the run's folder, in notes.json. */
export interface RunNotes {
  readonly note: string
  readonly tags: readonly string[]
}

/** How far a run is. `stopped`: attempts are left, and no process works on the run. */
export interface RunProgress {
  readonly state: 'running' | 'stopped' | 'done'
  readonly planned: number
  /** Recorded attempts, without unfinished ones, which are made again. */
  readonly done: number
  /** How many of them a failure of a provider or of the harness ended. */
  readonly failed: number
}

/** A run in the index. */
export interface RunRow extends RunProgress, RunNotes {
  /** The name of its folder, which is unique in the index. */
  readonly name: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly models: readonly string[]
  /** The primary metric of the first scoring. Null when nothing is scored yet. */
  readonly metric: MetricDefinition | null
  /** Each arm with its mean of the primary metric over tasks. */
  readonly arms: readonly { readonly name: string; readonly mean: number | null }[]
}

/** A folder in the index whose records cannot be read. */
interface BrokenRun {
  readonly name: string
  readonly state: 'broken'
  /** What is wrong, where, and what to do. */
  readonly problem: string
}

export type IndexRow = RunRow | BrokenRun

/** Data of the index page. The rows arrive as events. */
export interface IndexData {
  /** The folder as the user named it. */
  readonly folder: string
}

/** What a report knows when the server of `view` shows it. */
export type ServedPage = ServedRun | { readonly kind: 'comparison' }

/** What the report of one run knows. */
export interface ServedRun extends RunNotes {
  readonly kind: 'run'
  readonly name: string
  /** The records that the page contains. Later ones arrive as events. */
  readonly position: string
  readonly hasIndex: boolean
}

/** Attempts that ended since a page was made, and how far the run is now. */
export interface LiveUpdate {
  readonly progress: RunProgress
  /** True when the records were written anew, for example at the end of a run: the page must be loaded again. */
  readonly isReplaced: boolean
  readonly arms: readonly PageArm[]
  readonly tasks: readonly PageTask[]
  /** The new attempts. Their indexes refer to the lists above. */
  readonly attempts: AttemptColumns
}

/** The marks in an audit sheet. `unsure` counts as no mark in the agreement. */
export type Mark = 'right' | 'wrong' | 'unsure' | ''

/** An item of an audit sheet as a person sees it: without score and rule, which could influence the person. */
export interface AuditedItem {
  readonly id: string
  readonly attemptId: string
  readonly taskId: string
  /** The index of the item in the attempt's first score. Null when another score contains it. */
  readonly item: number | null
  /** Row and column of a cell, or the path of another item. */
  readonly place: string
  readonly gold: string
  readonly answer: string
  /** The marks of the first and of the second person, as in the sheet. */
  readonly marks: readonly [string, string]
  readonly note: string
}

/** What persons marked and wrote about a whole answer. */
export interface AuditedAnswer {
  readonly attemptId: string
  readonly marks: readonly [string, string]
  readonly note: string
}

/** The audit sheet of a run. */
export interface AuditSheetData {
  /** The names of the first and of the second marker. Empty while there is none. */
  readonly markers: readonly [string, string]
  readonly items: readonly AuditedItem[]
  readonly answers: readonly AuditedAnswer[]
}
