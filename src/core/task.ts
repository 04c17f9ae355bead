/** A BCP 47 language tag in its canonical form, such as `en`, `zh` or `pt-BR` (see `canonicalLanguage`). */
export type Language = string

/**
 * All that a setting is handed of a task. The gold stays behind.
 *
 * @example
 * import type { Question } from 'tablehunt'
 *
 * const question: Question = {
 *   taskId: 'hospitals_1',
 *   benchmark: 'aoe',
 *   domain: 'health',
 *   language: 'en',
 *   query: 'Which hospitals are there, and how many beds has each?',
 *   documentNames: ['north.pdf', 'south.pdf'],
 *   form: { kind: 'table' },
 * }
 */
export interface Question {
  readonly taskId: string
  readonly benchmark: string
  /** financial, legal, academic, …: selects prompts and groups reports. */
  readonly domain: string
  readonly language: Language
  readonly query: string
  /** Names of documents that the question tells, in the task's order; may be empty. */
  readonly documentNames: readonly string[]
  /** What the answer must look like. */
  readonly form: AnswerForm
  /** Further questions over the same documents, asked after `query` in one conversation. Absent: there is one question. */
  readonly turns?: readonly QuestionTurn[]
  /** What reports can group by besides the domain, such as `{ tier: 'hard' }`. Absent: nothing. */
  readonly facets?: Facets
}

/** Names and values by which reports group tasks. */
export type Facets = Readonly<Record<string, string>>

/** One further question of a conversation. */
export interface QuestionTurn {
  readonly query: string
  readonly form: AnswerForm
}

/** What the prompt asks for. */
export type AnswerForm = TableForm | JsonForm | TextForm

export interface TableForm {
  readonly kind: 'table'
  /** The names of the gold's key columns, where the run shows them (--show-columns). */
  readonly keyColumns?: readonly string[]
}

export interface JsonForm {
  readonly kind: 'json'
  /** The JSON Schema that the answer must follow. */
  readonly schema: unknown
}

export interface TextForm {
  readonly kind: 'text'
  /** The answer is a list with one item per line. Absent: it is one text. */
  readonly isList?: boolean
  /** The benchmark's own words for the form of the answer. Absent: the prompts' general ones. */
  readonly instructions?: string
}

export type GoldValue = string | number | boolean | null
/**
 * A row of a gold table: values by column.
 *
 * @example
 * import type { GoldRow } from 'tablehunt'
 *
 * const row: GoldRow = { hospital: 'North', beds: 120 }
 */
export type GoldRow = Readonly<Record<string, GoldValue>>

/**
 * A gold table. Column lists are disjoint but for numericColumns, a subset of targetColumns.
 *
 * @example
 * import type { TableGold } from 'tablehunt'
 *
 * const gold: TableGold = {
 *   kind: 'table',
 *   keyColumns: ['hospital'],
 *   targetColumns: ['beds', 'town'],
 *   numericColumns: ['beds'],
 *   rows: [{ hospital: 'North', beds: 120, town: 'Elm' }],
 * }
 */
export interface TableGold {
  readonly kind: 'table'
  readonly keyColumns: readonly string[]
  readonly targetColumns: readonly string[]
  readonly numericColumns: readonly string[]
  /** List values are already JSON text, as in the gold CSV. */
  readonly rows: readonly GoldRow[]
  /** What the benchmark tells its scorer about this gold; the scorer validates it. */
  readonly scoring?: unknown
}

/**
 * A gold JSON value and the schema, with its evaluation settings, by which it is compared.
 *
 * @example
 * import type { JsonGold } from 'tablehunt'
 *
 * const gold: JsonGold = {
 *   kind: 'json',
 *   schemaName: 'loan',
 *   schema: { type: 'object', properties: { lender: { type: 'string' } }, required: ['lender'] },
 *   value: { lender: 'North Bank' },
 *   text: '{ "lender": "North Bank" }',
 * }
 */
export interface JsonGold {
  readonly kind: 'json'
  /** What the schema is called in reports. */
  readonly schemaName: string
  readonly schema: unknown
  readonly value: unknown
  /** The value as its file has it: JavaScript can't tell 5.0 from 5, some scorers do. */
  readonly text: string
  readonly scoring?: unknown
}

/**
 * A gold text, or a list of texts.
 *
 * @example
 * import type { TextGold } from 'tablehunt'
 *
 * const rivers: TextGold = { kind: 'text', references: ['Rhine\nDanube'], items: ['Rhine', 'Danube'] }
 */
export interface TextGold {
  readonly kind: 'text'
  /** Texts that are each a right answer; at least one. For a list: the whole list as text, one item per line. */
  readonly references: readonly string[]
  /** The elements of a list answer. Absent: the answer is one text. */
  readonly items?: readonly string[]
  readonly scoring?: unknown
}

/**
 * The right answer: a table, a JSON value or a text.
 *
 * @example
 * import type { Gold } from 'tablehunt'
 *
 * const sizeOf = (gold: Gold): number => (gold.kind === 'table' ? gold.rows.length : 1)
 */
export type Gold = TableGold | JsonGold | TextGold

/** A table of a document that is made of tables. */
export interface DocumentTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | boolean | null)[])[]
}

/** What a benchmark's own document contains: a text, or tables that a run writes in the format it chooses. */
export type DocumentContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tables'; readonly tables: readonly DocumentTable[] }

/** A document that the offline and RAG settings load. */
export interface TaskDocument {
  readonly name: string
  /** A heading for a page that shows it. Absent: its name. */
  readonly title?: string
  /** Loads what the benchmark supplies, such as AOE's legal cases. Absent: a file of that name under --docs. */
  load?(): Promise<DocumentContent>
}

/** What discovery is measured against. */
export type Evidence =
  /** Documents of the task by name. */
  | { readonly kind: 'documents'; readonly names: readonly string[] }
  /** Pages by address; `revision` names the version that the gold was made from. */
  | { readonly kind: 'urls'; readonly urls: readonly { readonly url: string; readonly revision?: string }[] }
  /** Relevance judgements of documents of a corpus by id: 0 is not relevant. */
  | {
      readonly kind: 'judgements'
      readonly judgements: readonly { readonly documentId: string; readonly relevance: number }[]
    }

/** Where a task was read from. */
export interface TaskSource {
  readonly file: string
  /** 1-based; 1 for a file that contains one task. */
  readonly line: number
}

/**
 * A question, its gold, and the documents that answer it. A setting never receives the gold.
 *
 * @example
 * import { loadTasks, type Task } from 'tablehunt'
 *
 * const namesOf = ({ documents }: Task): string[] => documents.map(({ name }) => name)
 * const { tasks } = await loadTasks('tasks.jsonl')
 * console.log(tasks.map(namesOf))
 */
export interface Task<G extends Gold = Gold> {
  readonly question: Question
  readonly gold: G
  /** The gold of `question.turns`, in their order. */
  readonly turnGolds?: readonly G[]
  /** Absent in tasks that were not read from a file. */
  readonly source?: TaskSource
  /** What the offline and RAG settings load; may be empty. */
  readonly documents: readonly TaskDocument[]
  /** Null: not known, so that discovery and the loss classes that need it are null. */
  readonly evidence: Evidence | null
}

/** The names of the documents that a task's settings load. */
export function documentNamesOf({ documents }: Pick<Task, 'documents'>): string[] {
  return documents.map(({ name }) => name)
}

/** The gold of each question of a task, in their order. */
export function goldsOf({ gold, turnGolds = [] }: Pick<Task, 'gold' | 'turnGolds'>): readonly Gold[] {
  return [gold, ...turnGolds]
}

/** Documents whose files lie under --docs, named in the question, and evidence of the answer: how AOE's tasks are made. */
export function namedDocuments(names: readonly string[]): Pick<Task, 'documents' | 'evidence'> {
  return { documents: names.map(name => ({ name })), evidence: { kind: 'documents', names } }
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
  'kind-mismatch',
  'turns-mismatch',
  'invalid-document-name',
  'invalid-evidence',
  'invalid-facet',
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
