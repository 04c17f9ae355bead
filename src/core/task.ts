/** A BCP 47 language tag in its canonical form, such as `en`, `zh` or `pt-BR` (see `canonicalLanguage`). */
export type Language = string

/** All that a setting is handed of a task. The gold stays behind. */
export interface Question {
  readonly taskId: string
  readonly benchmark: string
  /** financial, legal, academic, …: selects prompts and groups reports. */
  readonly domain: string
  readonly language: Language
  readonly query: string
  /** File names or case names of the documents the answer stands in, in the task's order. */
  readonly hints: readonly string[]
  /** The names of the gold's key columns, where the run shows them (--show-columns). */
  readonly keyColumns?: readonly string[]
  /** The JSON Schema that the answer must follow; absent where a table is asked for. */
  readonly schema?: unknown
}

export type GoldValue = string | number | boolean | null
export type GoldRow = Readonly<Record<string, GoldValue>>

/** A gold table. Column lists are disjoint but for numericColumns, a subset of targetColumns. */
export interface TableGold {
  readonly kind: 'table'
  readonly keyColumns: readonly string[]
  readonly targetColumns: readonly string[]
  readonly numericColumns: readonly string[]
  /** List values are already JSON text, as in the gold CSV. */
  readonly rows: readonly GoldRow[]
}

/** A gold JSON value and the schema, with its evaluation settings, by which it is compared. */
export interface JsonGold {
  readonly kind: 'json'
  /** What the schema is called in reports. */
  readonly schemaName: string
  readonly schema: unknown
  readonly value: unknown
  /** The value as its file has it: JavaScript can't tell 5.0 from 5, some scorers do. */
  readonly text: string
}

export type Gold = TableGold | JsonGold

/** A document that stands inside the record (AOE's legal cases) rather than in a file. */
export interface EmbeddedDocument {
  readonly hint: string
  readonly title: string
  readonly text: string
}

/** Where a task was read from. */
export interface TaskSource {
  readonly file: string
  /** 1-based; 1 for a file that contains one task. */
  readonly line: number
}

export interface Task<G extends Gold = Gold> {
  readonly question: Question
  readonly gold: G
  /** Absent in tasks that were not read from a file. */
  readonly source?: TaskSource
  /** By hint; the documents of the other hints are files of that name under --docs. */
  readonly embedded: readonly EmbeddedDocument[]
}

/** A record that could not be made a task: its line (1-based) and what is wrong. */
export interface SkippedRecord {
  readonly line: number
  readonly recordId: string | null
  readonly problem: string
  /** Absent in manifests of older versions. */
  readonly code?: TaskProblemCode
  /** The file with the record, where it is not the one that --tasks names. */
  readonly file?: string
}

/** What can be wrong with a task. `docs/your-own-tasks.md` says what to do about each. */
export const taskProblemCodes = [
  'invalid-record',
  'duplicate-task-id',
  'unknown-column',
  'key-and-target',
  'numeric-not-target',
  'duplicate-gold-key',
  'empty-gold',
  'missing-document',
  'unreadable-document',
  'gold-not-100',
] as const
export type TaskProblemCode = (typeof taskProblemCodes)[number]

/** One thing that is wrong with one task or record. */
export interface TaskProblem {
  /** A run leaves out tasks with an error. It keeps tasks with a warning. */
  readonly severity: 'error' | 'warning'
  readonly code: TaskProblemCode
  readonly file: string
  /** 1-based. */
  readonly line: number
  /** Null where the record has no id. */
  readonly taskId: string | null
  /** What is wrong and what to do; the place is in `file`, `line` and `taskId`. */
  readonly message: string
}

export interface LoadedTasks<G extends Gold = Gold> {
  readonly tasks: readonly Task<G>[]
  readonly skipped: readonly SkippedRecord[]
}
