import { ConfigError, DataError } from '../../src/core/errors.ts'
import type { TableGold } from '../../src/core/gold.ts'
import type { LoadedTasks, Task } from '../../src/core/task.ts'
import type { TaskProblem } from '../../src/core/task-problem.ts'
import { isObject } from '../../src/text/json.ts'
import { listRepeatedMembers, parsePythonJson } from '../../src/text/python-json.ts'
import { createTaskCollector } from '../collect-tasks.ts'
import { readLines, requireFile } from '../jsonl.ts'
import { parseLine } from '../parse-record.ts'
import { makeRecordError } from '../validate/problem.ts'
import { findSlips, readRecord } from './record.ts'

interface IdentifiedRecord {
  readonly recordId: string | null
  /** Questions about fields that may be misspelt. */
  readonly slips: readonly string[]
  read(): Task<TableGold>
}

/**
 * Reads a file of AOE's records line by line, in both layouts: `{"record_id": …, …}` and the older
 * `{"<domain>_<group>_<task>": {…}}`. Records that are not tasks are returned as `skipped`.
 *
 * @throws ConfigError `tasks-not-found`, `unreadable-tasks` or `wrong-benchmark`
 */
export async function loadAoe(path: string): Promise<LoadedTasks<TableGold>> {
  await requireFile(path, "a JSONL file of AOE's records")
  if (/\.(?:csv|tsv|xlsx?)$/i.test(path)) {
    throw new ConfigError(
      `--tasks ${path}: --benchmark aoe reads JSON lines. For tables, use --benchmark spreadsheet; for a question and an answer per row, --benchmark qa.`,
      { code: 'wrong-benchmark' },
    )
  }
  const collector = createTaskCollector<TableGold>()
  const warnings: TaskProblem[] = []
  const reportedSlips = new Set<string>()
  for await (const { line, text } of readLines(path))
    for (const { recordId, slips, read } of identify(text)) {
      const count = collector.tasks.length
      await collector.add({ file: path, line, recordId }, () => withQuestions(slips, read))
      const unseen = collector.tasks.length > count ? slips.filter(slip => !reportedSlips.has(slip)) : []
      for (const slip of unseen) reportedSlips.add(slip)
      if (unseen.length > 0) warnings.push(warnOfSlips(path, line, recordId, unseen))
    }
  return {
    tasks: collector.tasks,
    skipped: collector.skipped,
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

/** Adds questions about misspelt fields to the error of a record. */
function withQuestions(slips: readonly string[], read: IdentifiedRecord['read']): Task<TableGold> {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DataError) || slips.length === 0) throw error
    throw makeRecordError(`${error.message.replace(/(?<!\.)$/, '.')} ${slips.join(' ')} Rename it.`, error)
  }
}

function warnOfSlips(
  file: string,
  line: number,
  taskId: string | null,
  slips: readonly string[],
): TaskProblem {
  const message = `a field is not read. ${slips.join(' ')} Rename it, or ignore this.`
  return { severity: 'warning', code: 'unknown-field', file, line, taskId, message }
}

/** Returns the records on a line with their ids. Reading a record throws what is wrong with it or its line. */
function identify(text: string | null): IdentifiedRecord[] {
  let value: unknown
  try {
    value = parseLine(text, parsePythonJson)
    if (!isObject(value)) throw makeRecordError('not a JSON object. Write one record per line.')
  } catch (error) {
    return [refuse(error)]
  }
  const record = value
  const repeated = listRepeatedMembers(text!).map(
    name => `'${name}' is twice in one object, and only the last value counts.`,
  )
  if (Object.hasOwn(record, 'record_id')) {
    const recordId = readId(record.record_id)
    return recordId === null
      ? [refuse(makeRecordError('record_id is missing. Add it.'))]
      : [{ recordId, slips: [...repeated, ...findSlips(record)], read: () => readRecord(recordId, record) }]
  }
  const entries = Object.entries(record)
  const isOlder = entries.length > 0 && entries.every(([, inner]) => isObject(inner))
  if (isOlder)
    return entries.map(([recordId, inner]) => ({
      recordId,
      slips: [...repeated, ...findSlips({ record_id: recordId, ...(inner as object) })],
      read: () => readRecord(recordId, inner),
    }))
  const fields = entries.length === 0 ? 'none' : Object.keys(record).join(', ')
  return [refuse(makeRecordError(`record_id is missing (fields: ${fields}). Add it.`), findSlips(record))]
}

const refuse = (error: unknown, slips: readonly string[] = []): IdentifiedRecord => ({
  recordId: null,
  slips,
  read() {
    throw error
  },
})

function readId(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return id === '' ? null : id
}
