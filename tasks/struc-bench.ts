import { extname } from 'node:path'
import { DataError } from '../src/core/errors.ts'
import type { LoadedTasks, SkippedRecord, Task, TextGold } from '../src/core/task.ts'
import { isObject } from '../src/text/json.ts'
import { formatOfTable } from '../src/text/table-format.ts'
import { defineBenchmark, filesAt } from './benchmark.ts'
import { readLines } from './jsonl.ts'
import { invalidRecord } from './validate/problem.ts'

/** The Struc-Bench benchmark: writes a table as text, HTML or LaTeX from a description of its content and form. */
export const strucBench = defineBenchmark({
  summary: "Struc-Bench's records: JSON lines { id, instruction, input, output }, or a folder of such files",
  answerKinds: ['text'],
  data: {
    source: 'https://github.com/gersteinlab/Struc-Bench',
    licence: 'not stated',
    layout: 'JSON lines { id, instruction, input, output }, in one file or a folder',
  },
  scorers: ['struc-bench', 'struc-bench-p-score', 'struc-bench-abilities', 'h-score', 'gpt-score', 'rouge-l'],
  answerHosts: ['*gersteinlab/struc-bench*'],
  inputs: recordFiles,
  taskType: ({ facets }) => facets?.format ?? null,
  tables: async () => (await import('./struc-bench-tables.ts')).strucBenchTables,
  load: loadStrucBench,
})

/** Returns the file at a path, or the JSON Lines files of a folder. */
async function recordFiles(path: string): Promise<string[]> {
  return (await filesAt(path)).filter(file => file === path || extname(file) === '.jsonl')
}

async function loadStrucBench(path: string): Promise<LoadedTasks<TextGold>> {
  const tasks: Task<TextGold>[] = []
  const skipped: SkippedRecord[] = []
  for (const file of await recordFiles(path)) {
    for await (const { line, text } of readLines(file)) {
      let recordId: string | null = null
      try {
        const record = parse(text)
        recordId = typeof record.id === 'string' ? record.id : null
        tasks.push({ ...taskOf(record), source: { file, line } })
      } catch (error) {
        if (!(error instanceof DataError)) throw error
        skipped.push({ line, recordId, problem: error.message, code: 'invalid-record', file })
      }
    }
  }
  return { tasks, skipped }
}

function parse(text: string | null): Record<string, unknown> {
  if (text === null) throw invalidRecord('the line is not UTF-8. Save the file as UTF-8.')
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw invalidRecord(`the line is not JSON (${error.message}). Correct it.`, error)
  }
  throw invalidRecord('the line is not an object. Write { id, instruction, input, output }.')
}

function textOf(record: Record<string, unknown>, field: string): string {
  const value = record[field]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw invalidRecord(`${field} is missing or not a text. Write a text.`)
}

/** A description of the form is part of the question; what comes before it is the document. */
const formHeading = /\n(?=Format:[ \n])/

function taskOf(record: Record<string, unknown>): Task<TextGold> {
  const taskId = textOf(record, 'id')
  const output = textOf(record, 'output')
  const [content, ...form] = textOf(record, 'input').split(formHeading) as [string, ...string[]]
  const format = formatOfTable(output)
  const name = `${taskId}.txt`
  return {
    question: {
      ...{ taskId, benchmark: 'struc-bench', domain: format, language: 'en' },
      query: [textOf(record, 'instruction'), ...form].join('\n\n'),
      documentNames: [name],
      form: { kind: 'text', instructions: answerForm },
      facets: { format },
    },
    gold: { kind: 'text', references: [output], scoring: { input: content } },
    documents: [{ name, load: async () => ({ kind: 'text', text: content }) }],
    evidence: { kind: 'documents', names: [name] },
  }
}

const answerForm =
  'Write the table alone, in the asked form, between <answer> and </answer>. Leave out fences and remarks.'
