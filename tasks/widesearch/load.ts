import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod/v4'
import { ConfigError } from '../../src/core/errors.ts'
import type { TableGold } from '../../src/core/gold.ts'
import type { LoadedTasks, Task } from '../../src/core/task.ts'
import { readTextFile } from '../../src/system/files.ts'
import { createTaskCollector } from '../collect-tasks.ts'
import { readLines } from '../jsonl.ts'
import { checkRecord, parseGoldCsv, parseLine } from '../parse-record.ts'
import { makeRecordError } from '../validate/problem.ts'
import { findDeepGoldFolder, findWideGoldFolder } from './folders.ts'
import { normaliseColumnName } from './frame.ts'

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
type RecordEvaluation = z.infer<typeof evaluationSchema>

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
    const record = checkRecord(recordSchema, value)
    return await toTask(record, findWideGoldFolder(path), {})
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
      const record = recordSchema.safeParse(parseLine(text))
      if (record.success) wide.set(record.data.instance_id, record.data)
    }
  return await loadRecords(path, async value => {
    const deep = checkRecord(deepSchema, value)
    const { question: query, evaluation } = deep
    const hidden = { entity: readEntity(deep.entity), topic: deep.topic }
    if (evaluation !== undefined)
      return await toTask({ ...deep, query, evaluation }, findDeepGoldFolder(path), hidden)
    const record = wide.get(deep.instance_id)
    if (record === undefined)
      throw makeRecordError(
        `the record has no \`evaluation\`, and widesearch.jsonl has no record ${deep.instance_id}. Add it beside this file.`,
      )
    return await toTask({ ...record, query }, findWideGoldFolder(path), hidden)
  })
}

async function loadRecords(
  path: string,
  convert: (value: unknown) => Promise<Task<TableGold>>,
): Promise<LoadedTasks<TableGold>> {
  const collector = createTaskCollector<TableGold>()
  for await (const { line, text } of readLines(path))
    await collector.add({ file: path, line }, async identify => {
      const value = parseLine(text)
      identify(z.object({ instance_id: z.string() }).safeParse(value).data?.instance_id ?? null)
      return await convert(value)
    })
  return collector
}

interface Hidden {
  readonly entity?: readonly string[]
  readonly topic?: string | undefined
}

async function toTask(record: WideRecord, goldFolder: string, hidden: Hidden): Promise<Task<TableGold>> {
  const evaluation = checkRecord(evaluationSchema, parseLine(record.evaluation))
  const goldCsv = await readGold(goldFolder, record.instance_id)
  const { entity, topic } = hidden
  const scoring = { evaluation, goldCsv, ...(entity === undefined ? {} : { entity }) }
  return {
    question: {
      taskId: record.instance_id,
      benchmark: 'widesearch',
      language: record.language,
      query: record.query,
      domain: topic?.toLowerCase() ?? 'general',
      documentNames: [],
      form: { kind: 'table' },
    },
    gold: toGold(evaluation, goldCsv, scoring),
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
      throw makeRecordError(
        `the gold table ${basename(folder)}/${basename(file)} is missing. Download it into that folder.`,
      )
    throw new ConfigError(`${file} cannot be read. Check the file and its permissions.`, {
      code: 'unreadable-tasks',
      cause: error,
    })
  }
}

function toGold(evaluation: RecordEvaluation, goldCsv: string, scoring: unknown): TableGold {
  const { required, unique_columns, eval_pipeline } = evaluation
  const valueColumns = required.filter(name => !unique_columns.includes(name))
  // Every gold needs a column to list. The scorers read the keys from `scoring`.
  const targets = valueColumns.length > 0 ? valueColumns : unique_columns.slice(-1)
  const [header = [], ...rows] = parseGoldCsv(goldCsv, 'the gold table')
  const names = header.map(normaliseColumnName)
  const missing = required.find(name => !names.includes(name))
  if (missing !== undefined)
    throw makeRecordError(
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

/** The names of the hidden subject. They are published as JSON in a fence, or as one plain name. */
function readEntity(text: string): string[] {
  const json = /\{.*\}/s.exec(text)?.[0]
  if (json === undefined && text.trim() !== '') return [text.trim()]
  const parsed = z
    .object({ entity: z.array(z.string()).min(1) })
    .safeParse(json === undefined ? null : parseLine(json))
  if (!parsed.success) throw makeRecordError('`entity` names no subject. Write {"entity": ["NAME"]}.')
  return parsed.data.entity
}
