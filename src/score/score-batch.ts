import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ConfigError, DataError } from '../core/errors.ts'
import { type PublishedFields, publishedFields, publishedScore } from './aoe/published-score.ts'
import { jsonElements } from './json-elements.ts'
import { type Judge, noJudge, rulesJudge } from './judge/judge.ts'
import { type CsvTable, readPandasCsv } from './pandas/csv.ts'
import { profileNamed } from './score-attempt.ts'
import { goldTableOf } from './table/gold-table.ts'

const isObject = (value: unknown): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export const tableCaseSchema = z.object({
  id: z.union([z.string(), z.number()]),
  task: z.object({
    answers: z.custom<Record<string, unknown>[]>(
      value => Array.isArray(value) && value.every(isObject),
      'a list of row objects is wanted',
    ),
    key_cols: z.array(z.string()).min(1),
    target_value_columns: z.array(z.string()),
    numeric_columns: z.array(z.string()),
  }),
  answer_csv: z.string(),
})
export type TableCase = z.infer<typeof tableCaseSchema>

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
  for await (const data of readCases(file)) {
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

async function* readCases(file: string): AsyncGenerator<TableCase> {
  const data = await readFile(file).catch((error: unknown) => {
    throw new ConfigError(`--batch ${file}: ${error instanceof Error ? error.message : String(error)}`)
  })
  let count = 0
  try {
    for (const text of jsonElements(data)) {
      count += 1
      yield readCase(JSON.parse(text))
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DataError(`${file}: case ${count + 1}: ${error.message}; wanted: [{ id, task, answer_csv }, …]`)
  }
}

/** @throws SyntaxError that names the member that does not fit */
function readCase(data: unknown): TableCase {
  const parsed = tableCaseSchema.safeParse(data)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new SyntaxError(`${issue?.path.join('.')}: ${issue?.message}`)
}
