import { z } from 'zod/v4'
import { ConfigError } from '../core/errors.ts'
import { notAmong } from '../core/nearest.ts'
import { zodProblemOf } from '../core/zod-problems.ts'
import { readBatch } from './batch-file.ts'
import { jsonElements } from './json-elements.ts'
import type { Judge } from './judge/judge.ts'
import type { TextMetricInput, TextMetricScore } from './metrics/metric.ts'
import { type TextMetricName, textMetrics } from './metrics/registry.ts'
import { readPandasCsv } from './pandas/csv.ts'
import { goldTableOf } from './table/gold-table.ts'
import { tableCaseSchema } from './table-case.ts'

const wanted = '[{ id, reference, prediction, question }, …]'

const id = z.union([z.string(), z.number()]).optional()
const textCaseSchema = z.object({
  id,
  reference: z.string(),
  prediction: z.string(),
  question: z.string().default(''),
})
const anyCaseSchema = tableCaseSchema.extend({ id })
type Text = Omit<TextMetricInput, 'judge'>

export interface TextBatchOptions {
  /** Keys of textMetrics; empty: all. */
  readonly metrics: readonly string[]
  readonly judge: Judge
}

/** A case as `score-text` prints it. */
export interface TextCaseScore {
  readonly id: string | number
  readonly metrics: Readonly<Record<string, TextMetricScore>>
}

/**
 * Scores a file of answers, a JSON list or JSON lines, in order, one JSON line each. A case is { id, reference,
 * prediction, question } as texts, or one of score-table's { id, task, answer_csv }, whose tables are then compared as text.
 * @throws ConfigError where the file or a metric is not there; DataError naming the case that does not fit
 */
export async function* scoreTextBatch(file: string, options: TextBatchOptions): AsyncGenerator<string> {
  const names = options.metrics.length === 0 ? allNames : options.metrics.map(knownName)
  for await (const { id, text } of readBatch(file, wanted, casesOf)) {
    const metrics: Record<string, TextMetricScore> = {}
    for (const name of names) metrics[name] = await textMetrics[name].score({ ...text, judge: options.judge })
    yield JSON.stringify({ id, metrics } satisfies TextCaseScore)
  }
}

const allNames = Object.keys(textMetrics) as TextMetricName[]

function knownName(name: string): TextMetricName {
  if (Object.hasOwn(textMetrics, name)) return name as TextMetricName
  throw new ConfigError(`--metric: ${notAmong(name, allNames)}`)
}

function* casesOf(data: Buffer): Generator<{ id: string | number; text: Text }> {
  let number = 1
  for (const value of elementsOf(data)) {
    yield { id: idOf(value) ?? number, text: readCase(value) }
    number += 1
  }
}

function* elementsOf(data: Buffer): Generator<unknown> {
  const start = data
    .toString('utf8', 0, 200)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (!start.startsWith('{')) return yield* jsonElements<unknown>(data, JSON.parse)
  for (const line of data
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split('\n'))
    if (line.trim() !== '') yield JSON.parse(line)
}

function idOf(value: unknown): string | number | undefined {
  return z.object({ id }).safeParse(value).data?.id
}

/** @throws SyntaxError that names the member that does not fit */
function readCase(value: unknown): Text {
  const isTable = value !== null && typeof value === 'object' && 'answer_csv' in value
  const parsed = (isTable ? anyCaseSchema : textCaseSchema).safeParse(value)
  if (!parsed.success) {
    throw new SyntaxError(zodProblemOf(parsed.error, 'case'))
  }
  return 'task' in parsed.data ? asText(parsed.data) : parsed.data
}

/** Both tables as text with bars; an answer that is no CSV stands as it is. */
function asText({ task, answer_csv }: z.infer<typeof anyCaseSchema>): Text {
  const gold = goldTableOf({
    rows: task.answers,
    keyColumns: task.key_cols,
    targetColumns: task.target_value_columns,
    numericColumns: task.numeric_columns,
  })
  const names = [...gold.keyColumns, ...gold.targetColumns]
  const rows = Array.from({ length: gold.rowCount }, (_, row) =>
    names.map(name => gold.values.get(name)![row]!),
  )
  const reading = readPandasCsv(answer_csv)
  const prediction = 'table' in reading ? bars([reading.table.header, ...reading.table.rows]) : answer_csv
  return { reference: bars([names, ...rows]), prediction, question: '' }
}

function bars(rows: readonly (readonly string[])[]): string {
  return rows.map(row => `| ${row.map(cell => cell.replace(/[\r\n|]+/g, ' ')).join(' | ')} |`).join('\n')
}
