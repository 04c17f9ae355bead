import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod/v4'
import type { Gold } from '../../src/core/gold.ts'
import type { LoadedTasks, Task } from '../../src/core/task.ts'
import { listFiles } from '../benchmark.ts'
import { createTaskCollector, pickRequestForm } from '../collect-tasks.ts'
import { readLines, requireFile } from '../jsonl.ts'
import { decryptText, parseGoldCsv, parseQuietly } from '../parse-record.ts'
import { makeRecordError } from '../validate/problem.ts'

const findAnswerFolder = (path: string): string => join(dirname(path), 'answers')

/** Lists the file of the questions and the files of their answers. */
export async function listGisaFiles(path: string): Promise<string[]> {
  return [path, ...(await listFiles(findAnswerFolder(path), name => name.endsWith('.csv')))]
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
  const collector = createTaskCollector()
  for await (const { line, text } of readLines(path))
    await collector.add({ file: path, line }, async identify => {
      const record = parseQuietly(text, recordSchema)
      identify(record.id)
      return await toTask(record, path)
    })
  return collector
}

async function toTask({ id, question, answer_type: type, canary }: GisaRecord, path: string): Promise<Task> {
  const csv = await readAnswer(join(findAnswerFolder(path), `${id}.csv`))
  const gold = toGold(type, csv)
  return {
    question: {
      taskId: id,
      benchmark: 'gisa',
      domain: 'general',
      language: 'en',
      documentNames: [],
      query: canary === undefined ? question : decryptText(question, canary),
      form: pickRequestForm(gold),
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
    throw makeRecordError(`its answer ${file} cannot be read (${error.code}). Put it there.`, error)
  })
  for (const encoding of ['utf-8', 'gbk'])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
  throw makeRecordError(`its answer ${file} is neither UTF-8 nor GBK. Save it as UTF-8.`)
}

function toGold(type: GisaRecord['answer_type'], csv: string): Gold {
  const lines = parseGoldCsv(csv, 'its answer')
  const [header = [], ...rows] = lines
  const scoring = { type, csv }
  if (type === 'table') {
    const [key = '', ...targetColumns] = header
    return {
      kind: 'table',
      keyColumns: [key],
      targetColumns,
      numericColumns: [],
      scoring,
      rows: rows.map(row => Object.fromEntries(header.map((name, at) => [name, row[at] ?? '']))),
    }
  }
  if (type === 'item') return { kind: 'text', references: [header.join(' ')], scoring }
  const items = lines.map(line => line.at(-1) ?? '')
  return { kind: 'text', references: [items.join('\n')], items, scoring }
}
