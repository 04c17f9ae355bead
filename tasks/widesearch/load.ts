import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod/v4'
import { ConfigError, DataError } from '../../src/core/errors.ts'
import type { LoadedTasks, SkippedRecord, TableGold, Task } from '../../src/core/task.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { readTextFile } from '../../src/system/files.ts'
import { readLines } from '../jsonl.ts'
import { invalidRecord } from '../validate/problem.ts'
import { deepGoldFolder, wideGoldFolder } from './folders.ts'

const recordSchema = z.object({
  instance_id: z.string().min(1),
  query: z.string().min(1),
  evaluation: z.string(),
  language: z.string().default('en'),
})
type WideRecord = z.infer<typeof recordSchema>

/** The parts of `evaluation` that the loader reads. The scorer validates all of it. */
const evaluationSchema = z.looseObject({
  required: z.array(z.string()).min(1),
  unique_columns: z.array(z.string()).min(1),
  eval_pipeline: z.record(z.string(), z.looseObject({ metric: z.array(z.string()).default([]) })),
})
type Evaluation = z.infer<typeof evaluationSchema>

const deepSchema = z.object({
  instance_id: z.string().min(1),
  question: z.string().min(1),
  entity: z.string(),
  topic: z.string().optional(),
  evaluation: z.string().optional(),
  language: z.string().default('en'),
})

/**
 * Reads WideSearch's download: `widesearch.jsonl`, and a gold table `widesearch_gold/ID.csv` for each of its records.
 *
 * @throws ConfigError `tasks-not-found` or `unreadable-tasks`
 */
export async function loadWideSearch(path: string): Promise<LoadedTasks<TableGold>> {
  return await loadRecords(path, async value => {
    const record = parseRecord(recordSchema, value)
    return await taskOf(record, wideGoldFolder(path), {})
  })
}

/**
 * Reads DeepWideSearch's download: a file of { instance_id, question, entity, topic, evaluation, language }, and a gold
 * table for each record in the folder that is named after the file, `FILE_tables`. A record without `evaluation` takes its
 * settings and its gold table from `widesearch.jsonl` and `widesearch_gold` beside the file.
 *
 * @throws ConfigError `tasks-not-found` or `unreadable-tasks`
 */
export async function loadDeepWideSearch(path: string): Promise<LoadedTasks<TableGold>> {
  const wide = new Map<string, WideRecord>()
  const wideFile = join(dirname(path), 'widesearch.jsonl')
  if (existsSync(wideFile))
    for await (const { text } of readLines(wideFile)) {
      const record = recordSchema.safeParse(parseJson(text))
      if (record.success) wide.set(record.data.instance_id, record.data)
    }
  return await loadRecords(path, async value => {
    const deep = parseRecord(deepSchema, value)
    const { question: query, evaluation } = deep
    const hidden = { entity: entityOf(deep.entity), topic: deep.topic }
    if (evaluation !== undefined)
      return await taskOf({ ...deep, query, evaluation }, deepGoldFolder(path), hidden)
    const record = wide.get(deep.instance_id)
    if (record === undefined)
      throw invalidRecord(
        `the record has no \`evaluation\`, and widesearch.jsonl has no record ${deep.instance_id}. Add it beside this file.`,
      )
    return await taskOf({ ...record, query }, wideGoldFolder(path), hidden)
  })
}

async function loadRecords(
  path: string,
  read: (value: unknown) => Promise<Task<TableGold>>,
): Promise<LoadedTasks<TableGold>> {
  const tasks: Task<TableGold>[] = []
  const skipped: SkippedRecord[] = []
  for await (const { line, text } of readLines(path)) {
    let recordId: string | null = null
    try {
      const value = parseJson(text)
      recordId = z.object({ instance_id: z.string() }).safeParse(value).data?.instance_id ?? null
      tasks.push({ ...(await read(value)), source: { file: path, line } })
    } catch (error) {
      if (!(error instanceof DataError)) throw error
      skipped.push({ line, recordId, problem: error.message, code: 'invalid-record' })
    }
  }
  return { tasks, skipped }
}

function parseJson(text: string | null): unknown {
  if (text === null) throw invalidRecord('not UTF-8. Save the file as UTF-8.')
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw invalidRecord(`not JSON (${error.message.replaceAll('\n', ' ')}). Write one record per line.`)
  }
}

function parseRecord<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidRecord(`${describeZodProblem(parsed.error, 'record')}. Correct the record.`)
}

interface Hidden {
  readonly entity?: readonly string[]
  readonly topic?: string | undefined
}

async function taskOf(record: WideRecord, goldFolder: string, hidden: Hidden): Promise<Task<TableGold>> {
  const evaluation = parseRecord(evaluationSchema, parseJson(record.evaluation))
  const goldCsv = await readGold(goldFolder, record.instance_id)
  const { entity, topic } = hidden
  const scoring = { evaluation, goldCsv, ...(entity === undefined ? {} : { entity }) }
  return {
    question: {
      ...{ taskId: record.instance_id, benchmark: 'widesearch', language: record.language },
      query: record.query,
      domain: topic?.toLowerCase() ?? 'general',
      documentNames: [],
      form: { kind: 'table' },
    },
    gold: goldOf(evaluation, goldCsv, scoring),
    documents: [],
    evidence: null,
  }
}

async function readGold(folder: string, id: string): Promise<string> {
  const file = join(folder, `${id}.csv`)
  try {
    return await readTextFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw invalidRecord(
        `the gold table ${basename(folder)}/${basename(file)} is missing. Download it into that folder.`,
      )
    throw new ConfigError(`${file} cannot be read. Check the file and its permissions.`, {
      ...{ code: 'unreadable-tasks', cause: error },
    })
  }
}

function goldOf(evaluation: Evaluation, goldCsv: string, scoring: unknown): TableGold {
  const { required, unique_columns, eval_pipeline } = evaluation
  const others = required.filter(name => !unique_columns.includes(name))
  // Every gold needs a column to list. The scorers read the keys from `scoring`.
  const targets = others.length > 0 ? others : unique_columns.slice(-1)
  const [header = [], ...rows] = rowsOf(goldCsv)
  const names = header.map(normaliseName)
  const missing = required.find(name => !names.includes(name))
  if (missing !== undefined)
    throw invalidRecord(
      `the gold table has no column '${missing}', which the task requires. Correct the table.`,
    )
  return {
    kind: 'table',
    keyColumns: unique_columns.filter(name => !targets.includes(name)),
    targetColumns: targets,
    numericColumns: targets.filter(name => eval_pipeline[name]?.metric.includes('number_near')),
    rows: rows.map(row => Object.fromEntries(required.map(name => [name, row[names.indexOf(name)] ?? '']))),
    scoring,
  }
}

function rowsOf(csv: string): string[][] {
  try {
    return parse(csv, { bom: true, skip_empty_lines: true, relax_column_count: true, relax_quotes: true })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalidRecord(`the gold table is not CSV (${error.message}). Correct the table.`, error)
  }
}

/** Settings name columns in lower case and without spaces. */
const normaliseName = (name: string): string => name.trim().toLowerCase().replaceAll(' ', '')

/** The names of the hidden subject. They are published as JSON in a fence, or as one plain name. */
function entityOf(text: string): string[] {
  const json = /\{.*\}/s.exec(text)?.[0]
  if (json === undefined && text.trim() !== '') return [text.trim()]
  const parsed = z
    .object({ entity: z.array(z.string()).min(1) })
    .safeParse(json === undefined ? null : parseJson(json))
  if (!parsed.success) throw invalidRecord('`entity` names no subject. Write {"entity": ["NAME"]}.')
  return parsed.data.entity
}
