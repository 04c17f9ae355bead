export type Language = 'zh' | 'en'

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

export interface Task<G extends Gold = Gold> {
  readonly question: Question
  readonly gold: G
  /** By hint; the documents of the other hints are files of that name under --docs. */
  readonly embedded: readonly EmbeddedDocument[]
}

/** A record that could not be made a task: the line it stands on (1-based) and what is wrong. */
export interface SkippedRecord {
  readonly line: number
  readonly recordId: string | null
  readonly problem: string
}

export interface LoadedTasks<G extends Gold = Gold> {
  readonly tasks: readonly Task<G>[]
  readonly skipped: readonly SkippedRecord[]
}
