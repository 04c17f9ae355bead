import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod/v4'
import { DataError } from '../../src/core/errors.ts'
import type { Gold, LoadedTasks, Question, SkippedRecord, Task } from '../../src/core/task.ts'
import { filesAt } from '../benchmark.ts'
import { decryptText, parseQuietly } from '../encrypted-records.ts'
import { readLines, requireFile } from '../jsonl.ts'
import { invalidRecord } from '../validate/problem.ts'

const answersOf = (path: string): string => join(dirname(path), 'answers')

/** Lists the file of the questions and the files of their answers. */
export async function gisaFiles(path: string): Promise<string[]> {
  return [path, ...(await filesAt(answersOf(path), name => name.endsWith('.csv')))]
}

const recordSchema = z.object({
  id: z.union([z.string().min(1), z.number().int()]).transform(String),
  question: z.string().min(1),
  answer_type: z
    .string()
    .transform(type => type.toLowerCase())
    .pipe(z.enum(['item', 'set', 'list', 'table'])),
  /** The key of the question. Absent in a file that the user decrypted. */
  canary: z.string().min(1).optional(),
})
type GisaRecord = z.infer<typeof recordSchema>

/**
 * Reads GISA's questions and their answers, a file `answers/ID.csv` for each. Questions are decrypted in memory.
 *
 * @throws ConfigError `tasks-not-found` or `unreadable-tasks`
 */
export async function loadGisa(path: string): Promise<LoadedTasks> {
  await requireFile(path, 'question.jsonl')
  const tasks: Task[] = []
  const skipped: SkippedRecord[] = []
  for await (const { line, text } of readLines(path)) {
    let recordId: string | null = null
    try {
      const record = parseQuietly(text, recordSchema)
      recordId = record.id
      tasks.push({ ...(await taskOf(record, path)), source: { file: path, line } })
    } catch (error) {
      if (!(error instanceof DataError)) throw error
      skipped.push({ line, recordId, problem: error.message, code: 'invalid-record' })
    }
  }
  return { tasks, skipped }
}

async function taskOf({ id, question, answer_type: type, canary }: GisaRecord, path: string): Promise<Task> {
  const csv = await readAnswer(join(answersOf(path), `${id}.csv`))
  const gold = goldOf(type, csv)
  return {
    question: {
      ...{ taskId: id, benchmark: 'gisa', domain: 'general', language: 'en', documentNames: [] },
      query: canary === undefined ? question : decryptText(question, canary),
      form: formOf(gold),
      facets: { answer: type },
    },
    gold,
    documents: [],
    evidence: null,
    ...(canary === undefined ? {} : { canary }),
  }
}

/** Reads an answer as UTF-8 or, like the published code, as GBK. */
async function readAnswer(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw invalidRecord(`its answer ${file} cannot be read (${error.code}). Put it there.`, error)
  })
  for (const encoding of ['utf-8', 'gbk'])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
  throw invalidRecord(`its answer ${file} is neither UTF-8 nor GBK. Save it as UTF-8.`)
}

function goldOf(type: GisaRecord['answer_type'], csv: string): Gold {
  const lines = linesOf(csv)
  const [header = [], ...rows] = lines
  const scoring = { type, csv }
  if (type === 'table') {
    const [key = '', ...targetColumns] = header
    return {
      ...{ kind: 'table', keyColumns: [key], targetColumns, numericColumns: [], scoring },
      rows: rows.map(row => Object.fromEntries(header.map((name, at) => [name, row[at] ?? '']))),
    }
  }
  if (type === 'item') return { kind: 'text', references: [header.join(' ')], scoring }
  const items = lines.map(line => line.at(-1) ?? '')
  return { kind: 'text', references: [items.join('\n')], items, scoring }
}

function linesOf(csv: string): string[][] {
  try {
    return parse(csv, { bom: true, skip_empty_lines: true, relax_column_count: true, relax_quotes: true })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalidRecord(`its answer is not CSV (${error.message}). Correct it.`, error)
  }
}

function formOf(gold: Gold): Question['form'] {
  if (gold.kind !== 'text') return { kind: 'table' }
  return { kind: 'text', ...(gold.items === undefined ? {} : { isList: true }) }
}
