import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { CutStrategy } from '../src/core/cut-strategy.ts'
import type { AnswerKindName } from '../src/core/metric.ts'
import type { Prompts } from '../src/core/prompts.ts'
import type { BenchmarkTables } from '../src/core/table-layout.ts'
import type { LoadedTasks, Question } from '../src/core/task.ts'
import type { Scorer } from '../src/score/contract/scorer.ts'
import type { SpreadsheetMapping } from './spreadsheet/mapping.ts'

/** The rows of a sheet as a person reads them, without empty rows. */
export interface WorkbookSheet {
  readonly name: string
  /** Whether the workbook does not show the sheet. */
  readonly isHidden?: boolean
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[]
  /** Cells without a value that can be read: what they contain, the first of them, and how many there are. */
  readonly faults: readonly {
    readonly what: string
    readonly cells: readonly string[]
    readonly count: number
  }[]
  /** Rows with content, columns and cells that the sheet hides. Columns are 0-based. Absent when it hides nothing. */
  readonly hidden?: {
    readonly rows: ReadonlySet<number>
    readonly columns: ReadonlySet<number>
    readonly cells: ReadonlySet<string>
  }
}

/** What a benchmark may use in addition to the path. */
export interface LoadOptions {
  /** The option `spreadsheet` of the config file; null when it is not set. */
  readonly spreadsheet: SpreadsheetMapping | null
  /**
   * Reads an Excel workbook. Hidden sheets follow the others.
   *
   * @throws Error for a damaged file
   */
  readonly readWorkbook: (bytes: Uint8Array) => readonly WorkbookSheet[]
}

/**
 * Where the data of a benchmark come from.
 *
 * @example
 * import type { BenchmarkData } from 'tablehunt'
 *
 * const data: BenchmarkData = {
 *   source: 'https://example.org/capitals',
 *   licence: 'CC BY 4.0',
 *   layout: 'capitals.tsv',
 * }
 */
export interface BenchmarkData {
  /** The address where users download them. */
  readonly source: string
  /** Their licence, and that of the published code where it differs. */
  readonly licence: string
  /** The files to download, and how to place them. */
  readonly layout: string
}

/**
 * A benchmark: how to load its tasks, and its defaults for asking and scoring them.
 *
 * @example
 * import { type Benchmark, defineBenchmark } from 'tablehunt'
 *
 * const capitals: Benchmark = defineBenchmark({
 *   summary: 'a file with a country and its capital per line',
 *   load: async () => ({ tasks: [], skipped: [] }),
 * })
 * console.log(capitals.settings) // [ 'offline', 'rag', 'online' ]
 */
export interface Benchmark {
  /** One line for help texts. It describes what `--tasks` must name. */
  readonly summary: string
  /** The kinds of answers of its tasks. */
  readonly answerKinds: readonly AnswerKindName[]
  /** Where its data come from. Null when its tasks are the user's own. */
  readonly data: BenchmarkData | null
  /** The names of the scorers for its answers. The first of each kind is the default of --scorer. */
  readonly scorers: readonly string[]
  /**
   * Returns the scorer that fits a task, when the default of --scorer depends on the tasks. Tasks that need different ones
   * are scored by the first of the usual scorers. Absent: the first of `scorers`.
   */
  scorerOf?(question: Question): string
  /** The default of --setting. */
  readonly settings: readonly string[]
  /** Further settings that --setting may name. Settings of plug-ins can be used with every benchmark. */
  readonly otherSettings: readonly string[]
  /** The default of --prompts: a value of --prompts, or the benchmark's own prompts, which are named after it. */
  readonly prompts: string | (() => Promise<Prompts>)
  /** The default of --cut. */
  readonly cut: CutStrategy
  /**
   * Addresses that publish its answers, in the form of --block: HOST, HOST/PATH or *TEXT*. A live web does not open
   * them.
   */
  readonly answerHosts: readonly string[]
  /**
   * Reads the tasks at a path. Records that are not tasks are returned as `skipped`. `loadBenchmark` validates the result.
   *
   * @throws ConfigError when the path cannot be read
   */
  load(path: string, options: LoadOptions): Promise<LoadedTasks>
  /**
   * Returns all files that the tasks at a path come from, absolute or relative to the working folder. A run records their
   * hashes and sends the files to its workers. It cannot be resumed when one of them has changed.
   */
  inputs(path: string): Promise<readonly string[]>
  /** Returns the type of a question's task, such as `financial_4`, for the facet `taskType`; null when it has none. */
  taskType(question: Question): string | null
  /**
   * Returns the tables of its paper as data. When absent, reports and comparisons show the general tables.
   */
  tables?(): Promise<BenchmarkTables>
}

/** What a folder of tasks/ adds: its benchmarks, and the scorers of their answers, by name. */
export interface BenchmarkRoom {
  readonly benchmarks: Readonly<Record<string, Benchmark>>
  /** Absent: its answers are scored by scorers of others. */
  readonly scorers?: Readonly<Record<string, Scorer>>
}

/**
 * The parts of a benchmark that must be defined. `defineBenchmark` fills in the rest.
 *
 * @example
 * import type { BenchmarkDefinition } from 'tablehunt'
 *
 * const capitals: BenchmarkDefinition = {
 *   summary: 'a file with a country and its capital per line',
 *   answerKinds: ['text'],
 *   load: async () => ({ tasks: [], skipped: [] }),
 * }
 */
export type BenchmarkDefinition = Pick<Benchmark, 'summary' | 'load'> & Partial<Benchmark>

/** The general scorers for each kind of answer. */
export const usualScorers: Readonly<Record<AnswerKindName, readonly string[]>> = {
  table: ['strict', 'aoe', 'paper'],
  json: ['extract-bench'],
  text: ['answer-f1', 'rouge-l'],
}

/**
 * Creates a benchmark and fills in defaults. These are table answers, the general scorers for its kinds of
 * answers, the settings offline, rag and online (and closed-book on request), and the built-in prompts. Long documents
 * are cut evenly. The inputs are the file or folder at the path, and there are no answer hosts and no task types.
 *
 * @example
 * import { readFile } from 'node:fs/promises'
 * import { defineBenchmark, definePlugin, type Task } from 'tablehunt'
 *
 * // A line such as `France;Paris`.
 * function taskOf(line: string): Task {
 *   const [country, capital] = line.split(';') as [string, string]
 *   return {
 *     question: {
 *       ...{ taskId: country, benchmark: 'capitals', domain: 'geography', language: 'en' },
 *       query: `What is the capital of ${country}?`,
 *       documentNames: [],
 *       form: { kind: 'text' },
 *     },
 *     gold: { kind: 'text', references: [capital] },
 *     documents: [],
 *     evidence: null,
 *   }
 * }
 *
 * const capitals = defineBenchmark({
 *   summary: 'a text file with a country and its capital per line',
 *   answerKinds: ['text'],
 *   settings: ['closed-book'],
 *   async load(path) {
 *     const lines = (await readFile(path, 'utf8')).trim().split('\n')
 *     return { tasks: lines.map(taskOf), skipped: [] }
 *   },
 * })
 * export default definePlugin({ benchmarks: { capitals } })
 */
export function defineBenchmark(definition: BenchmarkDefinition): Benchmark {
  const { answerKinds = ['table'] } = definition
  return {
    summary: definition.summary,
    answerKinds,
    data: definition.data ?? null,
    scorers: definition.scorers ?? answerKinds.flatMap(kind => usualScorers[kind]),
    settings: definition.settings ?? ['offline', 'rag', 'online'],
    otherSettings: definition.otherSettings ?? ['closed-book'],
    prompts: definition.prompts ?? 'own',
    cut: definition.cut ?? 'even',
    answerHosts: definition.answerHosts ?? [],
    load: (path, options) => definition.load(path, options),
    inputs: async path => (await definition.inputs?.(path)) ?? (await listFiles(path)),
    taskType: question => definition.taskType?.(question) ?? null,
    ...(definition.scorerOf === undefined ? {} : { scorerOf: question => definition.scorerOf!(question) }),
    ...(definition.tables === undefined ? {} : { tables: definition.tables }),
  }
}

/**
 * Returns the file at a path, or all files below the folder at the path, sorted by name.
 *
 * @param keep - selects files by name, including hidden ones; by default, all files that are not hidden
 */
export async function listFiles(path: string, keep: (name: string) => boolean = isShown): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const names = (await readdir(path, { recursive: true })).filter(keep).sort()
  const files: string[] = []
  for (const name of names) {
    const file = join(path, name)
    // A broken link is kept, so that the error names it when it is read.
    const isFile = await stat(file).then(
      entry => entry.isFile(),
      () => true,
    )
    if (isFile) files.push(file)
  }
  return files
}

const isShown = (name: string): boolean => name.split(sep).every(part => !part.startsWith('.'))
