import { ConfigError, DataError } from '../../src/core/errors.ts'
import type { LoadedTasks, SkippedRecord, TableGold, Task } from '../../src/core/task.ts'
import type { SourceLine } from '../../src/system/text-lines.ts'
import { isObject } from '../../src/text/json.ts'
import { parsePythonJson } from '../../src/text/python-json.ts'
import { readLines, requireFile } from '../jsonl.ts'
import { invalidRecord } from '../validate/problem.ts'
import { readRecord } from './record.ts'

interface IdentifiedRecord {
  readonly recordId: string | null
  readonly value: unknown
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
      `--tasks ${path}: --benchmark aoe reads JSON lines. For a spreadsheet, use --benchmark spreadsheet.`,
      { code: 'wrong-benchmark' },
    )
  }
  const tasks: Task<TableGold>[] = []
  const skipped: SkippedRecord[] = []
  for await (const source of readLines(path)) {
    for (const { recordId, value } of identify(source)) {
      try {
        if (value instanceof DataError) throw value
        if (recordId === null) throw invalidRecord('record_id is missing. Add it.')
        tasks.push({ ...readRecord(recordId, value), source: { file: path, line: source.line } })
      } catch (error) {
        if (!(error instanceof DataError)) throw error
        skipped.push({ line: source.line, recordId, problem: error.message, code: 'invalid-record' })
      }
    }
  }
  return { tasks, skipped }
}

/** Returns the records on a line with their ids. For an unreadable line, the value of the record is the error. */
function identify({ text }: SourceLine): IdentifiedRecord[] {
  const value = parseLine(text)
  if (value instanceof DataError) return [{ recordId: null, value }]
  if (Object.hasOwn(value, 'record_id')) return [{ recordId: readId(value.record_id), value }]
  const entries = Object.entries(value)
  const older = entries.length > 0 && entries.every(([, inner]) => isObject(inner))
  if (!older)
    return [
      {
        recordId: null,
        value: invalidRecord(`record_id is missing (fields: ${fieldsOf(entries)}). Add it.`),
      },
    ]
  return entries.map(([recordId, inner]) => ({ recordId, value: inner }))
}

function parseLine(text: string | null): Readonly<Record<string, unknown>> | DataError {
  if (text === null) return invalidRecord('not UTF-8. Save the file as UTF-8.')
  try {
    const value = parsePythonJson(text)
    return isObject(value) ? value : invalidRecord('not a JSON object. Write one record per line.')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return invalidRecord(`not JSON (${error.message.replaceAll('\n', ' ')}). Write one record per line.`)
  }
}

function readId(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return id === '' ? null : id
}

function fieldsOf(entries: readonly [string, unknown][]): string {
  return entries.length === 0 ? 'none' : entries.map(([key]) => key).join(', ')
}
