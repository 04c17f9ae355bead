import { ConfigError } from '../core/errors.ts'
import { isObject } from '../core/is-object.ts'
import { parsePythonJson } from '../core/python-json.ts'
import { type PublishedFields, publishedFields, publishedScore } from './aoe/published-score.ts'
import { readBatch } from './batch-file.ts'
import { jsonElements } from './json-elements.ts'
import { type Judge, noJudge, rulesJudge } from './judge/judge.ts'
import { type CsvTable, readPandasCsv } from './pandas/csv.ts'
import { profileNamed } from './registry.ts'
import { goldTableOf } from './table/gold-table.ts'
import type { TableCase } from './table-case.ts'

const wanted = '[{ id, task, answer_csv }, …]'

/** One line of output: the published scorer's fields; `error` where the CSV could not be read (then all is 0). */
export type TableCaseScore = { readonly id: string | number; readonly error?: string } & PublishedFields

export interface BatchOptions {
  readonly profile: string
  /** `none`, `rules`, or a judge model that is ready to be asked. */
  readonly judge: string | Judge
}

/**
 * Scores a JSON file of cases, [{ id, task, answer_csv }], in order, one JSON line each. The CSV is taken as it stands
 * and read as pandas reads it.
 * @throws ConfigError where the file can't be read or the judge is unknown; DataError naming the case that does not fit
 */
export async function* scoreBatch(file: string, options: BatchOptions): AsyncGenerator<string> {
  const judge = judgeOf(options.judge)
  profileNamed(options.profile)
  for await (const data of readBatch(file, wanted, casesOf)) {
    yield JSON.stringify(await scoreTableCase(data, options.profile, judge))
  }
}

/** Scores one case under a profile, with the published scorer's field names whatever the profile. */
export async function scoreTableCase(
  data: TableCase,
  profile: string,
  judge: Judge,
): Promise<TableCaseScore> {
  const reading = readPandasCsv(data.answer_csv)
  const problem = 'error' in reading ? { error: reading.error } : {}
  const answer: CsvTable = 'table' in reading ? reading.table : { header: [], rows: [] }
  const gold = {
    rows: data.task.answers,
    keyColumns: data.task.key_cols,
    targetColumns: data.task.target_value_columns,
    numericColumns: data.task.numeric_columns,
  }
  if (profile === 'aoe' && judge.kind === 'none')
    return { id: data.id, ...problem, ...publishedScore(gold, answer) }
  const table = goldTableOf(gold)
  const comparison = await profileNamed(profile).compare({ gold: table, answer, judge })
  return {
    id: data.id,
    ...problem,
    ...publishedFields({
      declared: table.declaredTargets,
      targets: table.targetColumns.length,
      goldRows: comparison.goldRows,
      rows: comparison.predictedRows,
      matched: comparison.matchedRows,
      sum: comparison.cells.reduce((total, cell) => total + (cell.rating.score ?? 0), 0),
    }),
  }
}

function judgeOf(judge: string | Judge): Judge {
  if (typeof judge !== 'string') return judge
  if (judge === 'none') return noJudge
  if (judge === 'rules') return rulesJudge
  throw new ConfigError(`--judge ${judge}: score-table takes none, rules, or a model of the registry`)
}

async function* casesOf(data: Buffer): AsyncGenerator<TableCase> {
  for (const value of jsonElements<unknown>(data, readCase)) {
    if (!isTableCase(value)) {
      const { problemOf } = await import('./table-case.ts')
      throw new SyntaxError(problemOf(value) ?? 'not a case')
    }
    yield value
  }
}

/** A case as JSON has it; where gold cells hold numbers or lists, its rows as Python reads them. */
function readCase(text: string): unknown {
  const value = parsePlainly(text)
  if (value === undefined) return parsePythonJson(text)
  if (isTableCase(value) && !value.task.answers.every(isPlain))
    value.task.answers = (parsePythonJson(text) as TableCase).task.answers
  return value
}

/** undefined where only Python's JSON allows it: NaN and Infinity. */
function parsePlainly(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError && /NaN|Infinity/.test(text)) return undefined
    throw error
  }
}

function isPlain(row: Readonly<Record<string, unknown>>): boolean {
  for (const name in row) {
    const value = row[name]
    if (typeof value !== 'string' && typeof value !== 'boolean' && value !== null) return false
  }
  return true
}

/** As tableCaseSchema has it; by hand, since the schema's library takes longer to load than a small batch to score. */
function isTableCase(value: unknown): value is TableCase {
  if (!isObject(value) || !isObject(value.task) || typeof value.answer_csv !== 'string') return false
  const { answers, key_cols: keys, target_value_columns: targets, numeric_columns: numeric } = value.task
  const isId = typeof value.id === 'string' || Number.isFinite(value.id)
  if (!isId || !Array.isArray(answers) || !answers.every(isObject)) return false
  return [keys, targets, numeric].every(isListOfText) && (keys as string[]).length > 0
}

const isListOfText = (value: unknown): boolean =>
  Array.isArray(value) && value.every(item => typeof item === 'string')
