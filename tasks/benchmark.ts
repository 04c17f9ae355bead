import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { AnswerKindName } from '../src/core/metric.ts'
import type { Prompts } from '../src/core/prompts.ts'
import type { BenchmarkTables } from '../src/core/table-layout.ts'
import type { LoadedTasks, Question } from '../src/core/task.ts'
import type { SpreadsheetMapping } from './spreadsheet-mapping.ts'

/** A sheet's rows as a person reads them; rows without any value are left out. */
export interface Sheet {
  readonly name: string
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[]
}

/** What a benchmark may need besides the path. */
export interface LoadOptions {
  /** Option `spreadsheet` of the config file; null: not given. */
  readonly spreadsheet: SpreadsheetMapping | null
  /** Reads an Excel workbook. Throws Error for a damaged file. */
  readonly readWorkbook: (bytes: Uint8Array) => readonly Sheet[]
}

/**
 * A benchmark: where its tasks come from, and how they are usually asked and scored.
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
  /** One line for help texts: what `--tasks` points at. */
  readonly summary: string
  /** The kinds of answers that its tasks ask for. */
  readonly answerKinds: readonly AnswerKindName[]
  /** Names of the scorers for its answers; the first is the default of --scorer. */
  readonly scorers: readonly string[]
  /** The default of --setting. */
  readonly settings: readonly string[]
  /** Settings that --setting may name besides. Settings of plug-ins may be used with every benchmark. */
  readonly otherSettings: readonly string[]
  /** The default of --prompts: a name or file as --prompts takes it, or the benchmark's own prompts, which get its name. */
  readonly prompts: string | (() => Promise<Prompts>)
  /** Places that publish its answers, as --block takes them: HOST, HOST/PATH or *TEXT*. A live web refuses to open them. */
  readonly answerHosts: readonly string[]
  /**
   * Reads the tasks at that path. Records that are not tasks come back as `skipped`.
   * Rejects with ConfigError when the path can't be read. `loadBenchmark` validates what it returns.
   */
  load(path: string, options: LoadOptions): Promise<LoadedTasks>
  /**
   * Every file that the tasks at that path come from, absolute or relative to the working folder. A run records their
   * hashes, is not continued when one has changed, and sends them to its workers.
   */
  inputs(path: string): Promise<readonly string[]>
  /** What type of task a question is, such as `financial_4`. It becomes the facet `taskType`. Null: none. */
  taskType(question: Question): string | null
  /** The tables of its paper, as data. Absent: reports and comparisons have the general ones. */
  tables?(): Promise<BenchmarkTables>
}

/**
 * What a benchmark has to say of itself; `defineBenchmark` fills in the rest.
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

/** Scorers that suit any gold of a kind. */
const usualScorers: Readonly<Record<AnswerKindName, readonly string[]>> = {
  table: ['aoe', 'paper', 'strict'],
  json: ['extract-bench'],
  text: ['answer-f1', 'rouge-l'],
}

/**
 * Makes a benchmark from what differs from the usual: answers are tables; the general scorers of its kinds of answers;
 * settings offline, rag and online, with closed-book besides; Tablehunt's own prompts; inputs that are the file at the
 * path, or every file of the folder there; no places that publish answers; no types of tasks.
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
    scorers: definition.scorers ?? answerKinds.flatMap(kind => usualScorers[kind]),
    settings: definition.settings ?? ['offline', 'rag', 'online'],
    otherSettings: definition.otherSettings ?? ['closed-book'],
    prompts: definition.prompts ?? 'own',
    answerHosts: definition.answerHosts ?? [],
    load: (path, options) => definition.load(path, options),
    inputs: async path => (await definition.inputs?.(path)) ?? (await filesAt(path)),
    taskType: question => definition.taskType?.(question) ?? null,
    ...(definition.tables === undefined ? {} : { tables: definition.tables }),
  }
}

/**
 * The file at a path, or every file below the folder there in the order of their names. Hidden files are left out.
 *
 * @param keep says by its name which file counts, hidden ones included; absent: every file that is not hidden
 */
export async function filesAt(path: string, keep: (name: string) => boolean = isShown): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const names = (await readdir(path, { recursive: true })).filter(keep).sort()
  const files: string[] = []
  for (const name of names) {
    const file = join(path, name)
    // A link that leads nowhere is refused by its name when its bytes are read.
    const isFile = await stat(file).then(
      found => found.isFile(),
      () => true,
    )
    if (isFile) files.push(file)
  }
  return files
}

const isShown = (name: string): boolean => name.split(sep).every(part => !part.startsWith('.'))
