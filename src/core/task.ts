import type { Gold } from './gold.ts'
import type { SkippedRecord, TaskProblem } from './task-problem.ts'

/** A BCP 47 language tag in its canonical form, such as `en`, `zh` or `pt-BR` (see `canonicalLanguage`). */
export type Language = string

/**
 * The part of a task that a setting receives. It does not contain the gold.
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
  /** Such as `financial`, `legal` or `academic`. It selects prompts and groups reports. */
  readonly domain: string
  readonly language: Language
  readonly query: string
  /** The names of documents that the question mentions, in the task's order. May be empty. */
  readonly documentNames: readonly string[]
  /** What the answer must look like. */
  readonly form: AnswerForm
  /**
   * Further questions about the same documents, asked after `query` in one conversation. Absent when there is
   * one question.
   */
  readonly turns?: readonly QuestionTurn[]
  /** Solved questions of the same kind that prompts with examples show. Absent when there is none. */
  readonly examples?: readonly QuestionExample[]
  /** How to find the answer, for prompts that give a hint. Absent when there is none. */
  readonly hint?: string
  /** What reports can group by besides the domain, such as `{ tier: 'hard' }`. Absent when empty. */
  readonly facets?: Facets
}

/** A solved question of the same kind, with the text that it is about. */
interface QuestionExample {
  readonly query: string
  readonly text: string
  readonly answer: string
}

/** Names and values by which reports group tasks. */
type Facets = Readonly<Record<string, string>>

/** One further question of a conversation. */
export interface QuestionTurn {
  readonly query: string
  readonly form: AnswerForm
}

/** What the answer must look like. */
export type AnswerForm = TableForm | JsonForm | TextForm

/** The answer is a table. */
export interface TableForm {
  readonly kind: 'table'
  /** The names of the gold's key columns, when the prompt shows them (--show-columns). */
  readonly keyColumns?: readonly string[]
}

/** The answer is a JSON value. */
export interface JsonForm {
  readonly kind: 'json'
  /** The JSON Schema that the answer must follow. */
  readonly schema: unknown
}

/** The answer is a text, or a list with one item per line. */
export interface TextForm {
  readonly kind: 'text'
  /** The answer is a list with one item per line. Absent when the answer is one text. */
  readonly isList?: boolean
  /**
   * The benchmark's own instructions for the form of the answer. When absent, the general instructions of the
   * prompts apply.
   */
  readonly instructions?: string
}

/** A table of a document that consists of tables. */
export interface DocumentTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | boolean | null)[])[]
}

/** The content of a document that a benchmark supplies: a text, or tables, which a run writes in the chosen format. */
export type DocumentContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tables'; readonly tables: readonly DocumentTable[] }

/** A document that the offline and RAG settings load. */
export interface TaskDocument {
  readonly name: string
  /** A heading for a page that shows it. The default is its name. */
  readonly title?: string
  /**
   * Loads a document that the benchmark supplies, such as AOE's legal cases. Absent for a file of that name
   * in --docs.
   */
  load?(): Promise<DocumentContent>
}

/** What an agent must find, for measures of discovery. */
export type Evidence =
  /** Documents of the task, by name. */
  | { readonly kind: 'documents'; readonly names: readonly string[] }
  /**
   * Pages, by address. `revision` is the version from which the gold was made. `document` is the document of the task
   * that contains the page, so that a copy at another address is recognised.
   */
  | {
      readonly kind: 'urls'
      readonly urls: readonly {
        readonly url: string
        readonly revision?: string
        readonly document?: string
      }[]
    }
  /** Relevance judgements of documents of a corpus, by id. 0 means not relevant. */
  | {
      readonly kind: 'judgements'
      readonly judgements: readonly { readonly documentId: string; readonly relevance: number }[]
    }

/** Where a task was read from. */
interface TaskSource {
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
export interface Task<G extends Gold = Gold> extends ScorableTask<G> {
  /** Absent in tasks that were not read from a file. */
  readonly source?: TaskSource
  /** What the offline and RAG settings load; may be empty. */
  readonly documents: readonly TaskDocument[]
  /**
   * Names of documents that the offline and RAG settings also load when --docs contains a file of that name. A missing one
   * is not reported. The question does not name them.
   */
  readonly optionalDocuments?: readonly string[]
  /**
   * The key by which its benchmark encrypts the question, so that copies of the data are not published in clear. A run
   * never writes the question in clear into its folder. Absent when the question is published in clear.
   */
  readonly canary?: string
  /** Null when unknown. Then discovery and the loss classes that need it are null too. */
  readonly evidence: Evidence | null
}

/** The parts of a task that scoring needs. */
export interface ScorableTask<G extends Gold = Gold> extends Golds<G> {
  readonly question: Question
}

/** The golds of a task. */
export interface Golds<G extends Gold = Gold> {
  readonly gold: G
  /** The gold of `question.turns`, in their order. */
  readonly turnGolds?: readonly G[]
}

/** Returns the names of the documents that the settings of a task load. */
export function listDocumentNames({ documents }: { readonly documents: readonly TaskDocument[] }): string[] {
  return documents.map(({ name }) => name)
}

/** Returns the golds of a task, in the order of its questions. */
export function listGolds({ gold, turnGolds = [] }: Golds): readonly Gold[] {
  return [gold, ...turnGolds]
}

interface NamedDocuments {
  readonly documents: readonly TaskDocument[]
  readonly evidence: Evidence
}

/** Returns the parts of a task whose documents are files in --docs, named in the question, and the evidence, as in AOE. */
export function namedDocuments(names: readonly string[]): NamedDocuments {
  return { documents: names.map(name => ({ name })), evidence: { kind: 'documents', names } }
}

/** The tasks that a benchmark reads from a path. */
export interface LoadedTasks<G extends Gold = Gold> {
  readonly tasks: readonly Task<G>[]
  readonly skipped: readonly SkippedRecord[]
  /** What is questionable about tasks although they can be used. Absent when there is nothing. */
  readonly warnings?: readonly TaskProblem[]
}
