import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { z } from 'zod/v4'
import { DataError } from '../../src/core/errors.ts'
import { zodProblemOf } from '../../src/core/zod-problems.ts'
import { oneLine } from '../../src/text/plain-text.ts'
import type { ForeignAttempt, ReadRecord } from './foreign-log.ts'

/** One JSON value of a log file, with its line, or with its index when the whole file is one value. */
type JsonRecord = { readonly line: number } & ({ readonly value: unknown } | { readonly problem: string })

/**
 * Returns the whole file as text.
 *
 * @throws DataError `unreadable-log` when the file cannot be read
 */
export async function logText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new DataError(`${path}: the log cannot be read (${(cause as NodeJS.ErrnoException).code})`, {
      code: 'unreadable-log',
      cause,
    })
  }
}

/**
 * Parses JSON. NaN and Infinity, which Python writes outside strings, become null.
 *
 * @throws SyntaxError for other invalid JSON
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const tokens = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g
    return JSON.parse(text.replace(tokens, token => (token.startsWith('"') ? token : 'null')))
  }
}

function parse(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: parseJson(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    return { problem: oneLine((error as Error).message) }
  }
}

/**
 * Reads a file that is one JSON value: the items of a list, or the value itself. Any other file is read line by
 * line.
 */
async function* wholeFile(path: string): AsyncGenerator<JsonRecord> {
  const parsed = parse(await logText(path))
  if ('problem' in parsed) {
    yield* lineRecords(path, parsed.problem)
    return
  }
  const values = Array.isArray(parsed.value) ? (parsed.value as unknown[]) : [parsed.value]
  for (const [index, value] of values.entries()) yield { line: index + 1, value }
}

async function firstLine(path: string): Promise<string> {
  for await (const line of linesOf(path)) if (line.trim() !== '') return line
  return ''
}

/**
 * Splits at line feeds only. The line reader of Node 24 also splits at U+2028, which may occur inside JSON strings.
 */
async function* linesOf(path: string): AsyncGenerator<string> {
  let pending: string[] = []
  try {
    for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      const parts = chunk.split('\n')
      for (const part of parts.slice(0, -1)) {
        yield* withoutReturns([...pending, part].join(''))
        pending = []
      }
      pending.push(parts.at(-1)!)
    }
  } catch (cause) {
    throw new DataError(`${path}: the log cannot be read (${(cause as NodeJS.ErrnoException).code})`, {
      code: 'unreadable-log',
      cause,
    })
  }
  yield* withoutReturns(pending.join(''))
}

function withoutReturns(line: string): string[] {
  return line.replace(/\r$/, '').split('\r')
}

/**
 * Reads JSON lines one at a time. A file that is one JSON value is read as that value; a list is read item by item.
 */
async function* jsonRecords(path: string): AsyncGenerator<JsonRecord> {
  const first = parse(await firstLine(path))
  if ('problem' in first || Array.isArray(first.value)) yield* wholeFile(path)
  else yield* lineRecords(path, null)
}

/**
 * Reads one record per line. `whole` is the reason why the file is not one JSON value; then at least one line must
 * be valid JSON.
 *
 * @throws DataError `not-json`
 */
async function* lineRecords(path: string, whole: string | null): AsyncGenerator<JsonRecord> {
  const invalid: JsonRecord[] = []
  let line = 0
  let known = whole === null
  for await (const text of linesOf(path)) {
    line++
    if (text.trim() === '') continue
    const record: JsonRecord = { line, ...parse(text) }
    known ||= 'value' in record && typeof record.value === 'object'
    if (!known) {
      invalid.push(record)
      continue
    }
    yield* invalid.splice(0)
    yield record
  }
  if (!known) throw new DataError(`${path}: neither JSON lines nor JSON: ${whole}`, { code: 'not-json' })
}

/** Returns what is wrong with a value that has none of a format's fields; null when it has one of them. */
function problemOf(value: unknown, fields: readonly string[]): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not a JSON object'
  return fields.some(field => field in value) ? null : `it has none of the fields ${fields.join(', ')}`
}

/**
 * Reads the attempts of a file of JSON records with one schema. Records that do not match are returned with their
 * line and the problem.
 *
 * @param fields - a record of the format has at least one of these
 */
export async function* readJsonLog<T>(
  path: string,
  schema: z.ZodType<T>,
  fields: readonly string[],
  attemptOf: (record: T) => ForeignAttempt,
): AsyncGenerator<ReadRecord> {
  for await (const record of jsonRecords(path)) {
    const { line } = record
    if ('problem' in record) {
      yield { line, problem: record.problem }
      continue
    }
    const lack = problemOf(record.value, fields)
    if (lack !== null) {
      yield { line, problem: lack }
      continue
    }
    const parsed = schema.safeParse(record.value)
    if (parsed.success) yield { line, attempt: attemptOf(parsed.data) }
    else yield { line, problem: zodProblemOf(parsed.error, 'record') }
  }
}
