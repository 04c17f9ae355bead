import { ConfigError, DataError } from '../src/core/errors.ts'
import type { LoadedTasks, SkippedRecord, TableGold, Task } from '../src/core/task.ts'
import { isObject } from '../src/text/json.ts'
import { parsePythonJson } from '../src/text/python-json.ts'
import { readRecord } from './aoe-record.ts'
import { readLines, requireFile, type SourceLine } from './jsonl.ts'

interface IdentifiedRecord {
  readonly recordId: string | null
  readonly value: unknown
}

/**
 * Reads a file of AOE's records, a line at a time, in both shapes: `{"record_id": …, …}` and the older
 * `{"<domain>_<group>_<task>": {…}}`. A record that is not a task is skipped by name; the others load.
 * Rejects with ConfigError when there is no such file.
 */
export async function loadAoe(path: string): Promise<LoadedTasks<TableGold>> {
  await requireFile(path, "a JSONL file of AOE's records")
  if (/\.(?:csv|tsv|xlsx?)$/i.test(path)) {
    throw new ConfigError(
      `--tasks ${path}: --benchmark aoe reads JSON lines; for a spreadsheet give --benchmark spreadsheet`,
      {
        code: 'wrong-benchmark',
      },
    )
  }
  const tasks: Task<TableGold>[] = []
  const skipped: SkippedRecord[] = []
  for await (const source of readLines(path)) {
    for (const { recordId, value } of identify(source)) {
      try {
        if (value instanceof DataError) throw value
        if (recordId === null) throw new DataError('no record_id. Add one.')
        tasks.push({ ...readRecord(recordId, value), source: { file: path, line: source.line } })
      } catch (error) {
        if (!(error instanceof DataError)) throw error
        skipped.push({ line: source.line, recordId, problem: error.message, code: 'invalid-record' })
      }
    }
  }
  return { tasks, skipped }
}

/** The records on a line, each with its id; a line that can't be read gives one record that is its own problem. */
function identify({ text }: SourceLine): IdentifiedRecord[] {
  const value = parseLine(text)
  if (value instanceof DataError) return [{ recordId: null, value }]
  if (Object.hasOwn(value, 'record_id')) return [{ recordId: readId(value.record_id), value }]
  const entries = Object.entries(value)
  const older = entries.length > 0 && entries.every(([, inner]) => isObject(inner))
  if (!older)
    return [{ recordId: null, value: new DataError(`no record_id (fields: ${fieldsOf(entries)}). Add one.`) }]
  return entries.map(([recordId, inner]) => ({ recordId, value: inner }))
}

function parseLine(text: string | null): Readonly<Record<string, unknown>> | DataError {
  if (text === null) return new DataError('not UTF-8. Save the file as UTF-8.')
  try {
    const value = parsePythonJson(text)
    return isObject(value) ? value : new DataError('not a JSON object; one record a line is expected')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return new DataError(`not JSON (${error.message.replaceAll('\n', ' ')}); one record a line is expected`)
  }
}

function readId(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return id === '' ? null : id
}

function fieldsOf(entries: readonly [string, unknown][]): string {
  return entries.length === 0 ? 'none' : entries.map(([key]) => key).join(', ')
}
