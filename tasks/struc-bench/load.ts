import { basename, extname, relative, sep } from 'node:path'
import type { TextGold } from '../../src/core/gold.ts'
import type { LoadedTasks, Task } from '../../src/core/task.ts'
import { isObject } from '../../src/text/json.ts'
import { findTableFormat } from '../../src/text/table-format.ts'
import { listFiles } from '../benchmark.ts'
import { createTaskCollector } from '../collect-tasks.ts'
import { placeJsonRecord, readJsonRecords, requireValue } from '../json-records.ts'
import { makeRecordError } from '../validate/problem.ts'

/**
 * Returns the file at a path, or the files of a folder: its JSON Lines files, or its JSON lists when it has none of these.
 */
export async function recordFiles(path: string): Promise<string[]> {
  const files = await listFiles(path)
  if (files.length === 1 && files[0] === path) return files
  const lines = files.filter(file => extname(file) === '.jsonl')
  return lines.length > 0 ? lines : files.filter(file => extname(file) === '.json')
}

/** Reads the records of a file, or of the files of a folder. */
export async function loadStrucBench(path: string): Promise<LoadedTasks<TextGold>> {
  const collector = createTaskCollector<TextGold>()
  for (const file of await recordFiles(path))
    for await (const record of readJsonRecords(file, nameIn(path, file)))
      await collector.add(placeJsonRecord(record, 'record', readId(record.value)), () =>
        toTask(requireValue(record), record.name),
      )
  return collector
}

/** Names a file for the ids of its records: its path within the folder, without the extension. */
function nameIn(folder: string, file: string): string {
  const name = file === folder ? basename(file) : relative(folder, file)
  return name
    .slice(0, name.length - extname(name).length)
    .split(sep)
    .join('_')
}

/** Returns the id of a record, or null when it has none: published records have none. */
function readId(value: unknown): string | null {
  return isObject(value) && typeof value.id === 'string' ? value.id : null
}

function readField(record: Record<string, unknown>, field: string): string {
  const value = record[field]
  if (typeof value === 'string' && value.trim() !== '') return value
  const problem = value === undefined ? 'missing' : typeof value === 'string' ? 'empty' : 'not a text'
  throw makeRecordError(`${field} is ${problem}. Write a text.`)
}

/** A description of the form is part of the question; what comes before it is the document. */
const formHeading = /\n(?=Format:[ \n])/

function toTask(record: unknown, name: string): Task<TextGold> {
  if (!isObject(record)) throw makeRecordError('not an object. Write { instruction, input, output }.')
  const taskId = record.id === undefined ? name : readField(record, 'id')
  const output = readField(record, 'output')
  const [content, ...form] = readField(record, 'input').split(formHeading) as [string, ...string[]]
  const format = findTableFormat(output)
  const documentName = `${taskId}.txt`
  return {
    question: {
      taskId,
      benchmark: 'struc-bench',
      domain: format,
      language: 'en',
      query: [readField(record, 'instruction'), ...form].join('\n\n'),
      documentNames: [documentName],
      form: { kind: 'text', instructions: answerForm },
      facets: { format },
    },
    gold: { kind: 'text', references: [output], scoring: { input: content } },
    documents: [{ name: documentName, load: async () => ({ kind: 'text', text: content }) }],
    evidence: { kind: 'documents', names: [documentName] },
  }
}

const answerForm =
  'Write the table alone, in the asked form, between <answer> and </answer>. Leave out fences and remarks.'
