import { z } from 'zod/v4'
import { scorers } from '../../../tasks/registry.ts'
import { findTextScorer, listTextScorerNames } from '../../../tasks/scorers.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { makeCaseError, readBatch } from '../../score/batch-file.ts'
import type { Judge } from '../../score/contract/judge.ts'
import type { TextMetric, TextMetricInput, TextMetricScore } from '../../score/metrics/metric.ts'
import { readPandasCsv } from '../../score/pandas/csv.ts'
import { type PythonJsonObject, parseJsonAsPython, pythonStr } from '../../score/python/json-value.ts'
import { listRowsWithHeader, readGoldTable } from '../../score/table/gold-table.ts'
import { readJsonElements } from './json-elements.ts'
import { tableCaseSchema } from './table-case.ts'

const caseFormat = '[{ id, reference, prediction, question }, …]'

const id = z.union([z.string(), z.number()]).optional()
const textCaseSchema = z.object({
  id,
  reference: z.string(),
  prediction: z.string(),
  question: z.string().default(''),
})
const anyCaseSchema = tableCaseSchema.extend({ id })
const goldCaseSchema = z.object({
  id,
  gold: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]),
  answer: z.string(),
})
type Text = Omit<TextMetricInput, 'judge'>

/** Options of `scoreTextBatch`. */
export interface TextBatchOptions {
  /** Names of scorers that compare texts; empty: all of them. */
  readonly scorers: readonly string[]
  readonly judge: Judge
}

/** A scored case as `score` prints it. */
export interface TextCaseScore {
  readonly id: string | number
  readonly metrics: Readonly<Record<string, TextMetricScore>>
}

/**
 * Scores a file of answers, a JSON list or JSON lines, in order, and yields one JSON line for each. A case is
 * { id, reference, prediction, question } with texts. It may also be { id, gold, answer } with a list or an object as
 * gold, or a case with a table, { id, task, answer_csv }, whose tables are then compared as text. One scorer that
 * repeats a published code prints the values of that code: { id, metrics, error }.
 *
 * @throws ConfigError [unreadable-batch, unknown-scorer, wrong-scorer]
 * @throws DataError [empty-batch, invalid-case]
 */
export async function* scoreTextBatch(file: string, options: TextBatchOptions): AsyncGenerator<string> {
  const names = options.scorers.length === 0 ? listTextScorerNames() : options.scorers
  const [first] = names
  const published = names.length === 1 ? scorers.get(first!) : null
  if (published?.referenceCases !== undefined) return yield* published.referenceCases(file)
  const metrics = await Promise.all(
    names.map(async name => [name, await findTextScorer(name).metric()] as const),
  )
  const only: TextMetric | undefined = metrics.length === 1 ? metrics[0]![1] : undefined
  const hasOwnCases = only?.referenceCase !== undefined
  const cases = readBatch(file, caseFormat, data => readCases(data, hasOwnCases))
  let number = 0
  for await (const { id, text, fields } of cases) {
    number += 1
    if (only?.referenceCase !== undefined) {
      const score = await only
        .referenceCase({ ...text, fields, judge: options.judge })
        .catch((error: unknown) => {
          throw makeCaseError(error, { file, number, form: caseFormat })
        })
      yield JSON.stringify({ id, ...score })
      continue
    }
    const scores: Record<string, TextMetricScore> = {}
    for (const [name, metric] of metrics) scores[name] = await metric.score({ ...text, judge: options.judge })
    yield JSON.stringify({ id, metrics: scores } satisfies TextCaseScore)
  }
}

/** Reads the cases. With `hasOwnCases`, a case may have the fields of a scorer that repeats a published code. */
function* readCases(
  data: Buffer,
  hasOwnCases: boolean,
): Generator<{ id: string | number; text: Text; fields: Record<string, unknown> }> {
  let number = 1
  for (const value of readElements(data)) {
    yield {
      id: z.object({ id }).safeParse(value).data?.id ?? number,
      text: readCase(value, hasOwnCases),
      fields: value as Record<string, unknown>,
    }
    number += 1
  }
}

function* readElements(data: Buffer): Generator<unknown> {
  const start = data
    .toString('utf8', 0, 200)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (!start.startsWith('{')) return yield* readJsonElements<unknown>(data, parseCase)
  for (const line of data
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split('\n'))
    if (line.trim() !== '') yield parseCase(line)
}

/** Parses a case. A gold list or object becomes the text of a Python literal, in which 5.0 and 5 differ. */
function parseCase(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!goldCaseSchema.safeParse(value).success) return value
  const { id, gold, answer } = parseJsonAsPython(text) as PythonJsonObject
  return { id, reference: pythonStr(gold), prediction: answer }
}

/**
 * Reads one case.
 *
 * @throws SyntaxError naming the wrong member
 */
function readCase(value: unknown, hasOwnCases: boolean): Text {
  // A case of judge replies or of a result file's lines has no answer of its own.
  if (hasOwnCases && value !== null && typeof value === 'object' && ('replies' in value || 'lines' in value))
    return { reference: '', prediction: '', question: '' }
  const isTable = value !== null && typeof value === 'object' && 'answer_csv' in value
  const parsed = (isTable ? anyCaseSchema : textCaseSchema).safeParse(value)
  if (!parsed.success) {
    throw new SyntaxError(describeZodProblem(parsed.error, 'case'))
  }
  return 'task' in parsed.data ? readText(parsed.data) : parsed.data
}

/** Writes both tables as text with bars. An answer that is not CSV is taken as it is. */
function readText({ task, answer_csv }: z.infer<typeof anyCaseSchema>): Text {
  const gold = readGoldTable({
    rows: task.answers,
    keyColumns: task.key_cols,
    targetColumns: task.target_value_columns,
    numericColumns: task.numeric_columns,
  })
  const reading = readPandasCsv(answer_csv)
  const prediction =
    'table' in reading ? formatBars([reading.table.header, ...reading.table.rows]) : answer_csv
  return { reference: formatBars(listRowsWithHeader(gold)), prediction, question: '' }
}

function formatBars(rows: readonly (readonly string[])[]): string {
  return rows.map(row => `| ${row.map(cell => cell.replace(/[\r\n|]+/g, ' ')).join(' | ')} |`).join('\n')
}
