import type { z } from 'zod/v4'
import { DataError } from '../../src/core/errors.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'
import { type ForeignAttempt, type LogProblemCode, logProblemCodes, type ReadRecord } from './foreign-log.ts'
import { parseJsonPieces } from './json-pieces.ts'
import { logLines, logPieces, logText, TooLongText } from './log-text.ts'

/** One JSON value of a log file, with its line, or with its index when the whole file is one value. */
type JsonRecord = { readonly line: number } & (
  | { readonly value: unknown }
  | { readonly problem: string; readonly code: LogProblemCode }
)

/**
 * Parses JSON. NaN and Infinity, which Python writes outside strings, become null.
 *
 * @throws SyntaxError for other invalid JSON
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse(withoutNaN(text))
  }
}

/** Replaces NaN and Infinity outside strings by null. Works in one pass, because a pattern for long strings would fail. */
function withoutNaN(text: string): string {
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('"', at)
    const outside = text.slice(at, start === -1 ? undefined : start)
    parts.push(outside.replace(/-?\b(?:NaN|Infinity)\b/g, 'null'))
    if (start === -1) break
    at = endOfString(text, start)
    parts.push(text.slice(start, at))
  }
  return parts.join('')
}

/** Returns the position after a string that begins at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  const mark = /["\\]/g
  mark.lastIndex = start + 1
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    if (match[0] === '"') return mark.lastIndex
    mark.lastIndex++
  }
  return text.length
}

/**
 * Reads a log that is one JSON value, of any length.
 *
 * @throws SyntaxError when it is not JSON; DataError `unreadable-log` or `unsupported-compression`
 */
export async function readJsonValue(path: string): Promise<unknown> {
  let text: string
  try {
    text = await logText(path)
  } catch (error) {
    if (!(error instanceof TooLongText)) throw error
    return await parseJsonPieces(logPieces(path))
  }
  return parseJson(text.replace(/^\uFEFF/, ''))
}

const cutOff = /^(?:Unexpected end of JSON input|Unterminated string)/

const tooLong = { problem: 'the line is longer than a text can be', code: 'damaged-log-record' } as const

const parse = (text: string) => problemOrValue(() => parseJson(text.replace(/^\uFEFF/, '')))

function problemOrValue(
  readValue: () => unknown,
): { readonly value: unknown } | { readonly problem: string; readonly code: LogProblemCode } {
  try {
    return { value: readValue() }
  } catch (error) {
    const why = joinToOneLine((error as Error).message)
    return cutOff.test(why)
      ? { problem: `the record is cut off (${why})`, code: 'cut-log-record' }
      : { problem: why, code: 'damaged-log-record' }
  }
}

/**
 * Reads a file that is one JSON value: the items of a list, or the value itself. Any other file is read line by
 * line.
 */
async function* wholeFile(path: string): AsyncGenerator<JsonRecord> {
  const result = await readJsonValue(path).then(
    value => () => value,
    (error: unknown) => () => {
      throw error
    },
  )
  const parsed = problemOrValue(result)
  if ('problem' in parsed) {
    yield* lineRecords(path, parsed.problem)
    return
  }
  const values = Array.isArray(parsed.value) ? (parsed.value as unknown[]) : [parsed.value]
  for (const [index, value] of values.entries()) yield { line: index + 1, value }
}

/** Returns the first line that is not blank; null when it is longer than a string can be. */
async function readFirstLogLine(path: string): Promise<string | null> {
  for await (const line of logLines(path)) if (line === null || line.trim() !== '') return line
  return ''
}

/**
 * Reads JSON lines one at a time. A file that is one JSON value is read as that value; a list is read item by item.
 */
export async function* jsonRecords(path: string): AsyncGenerator<JsonRecord> {
  const line = await readFirstLogLine(path)
  const first = line === null ? null : parse(line)
  if (first === null || 'problem' in first || Array.isArray(first.value)) yield* wholeFile(path)
  else yield* lineRecords(path, null)
}

/**
 * Reads one record per line. `whole` is the reason why the file is not one JSON value; null when the first line is valid
 * JSON. With a reason, at least one line must be valid.
 *
 * @throws DataError `not-json`
 */
async function* lineRecords(path: string, whole: string | null): AsyncGenerator<JsonRecord> {
  const invalid: JsonRecord[] = []
  let line = 0
  let hasValidLine = whole === null
  for await (const text of logLines(path)) {
    line++
    if (text?.trim() === '') continue
    const record: JsonRecord = { line, ...(text === null ? tooLong : parse(text)) }
    hasValidLine ||= 'value' in record && typeof record.value === 'object'
    if (!hasValidLine) {
      invalid.push(record)
      continue
    }
    yield* invalid.splice(0)
    yield record
  }
  if (!hasValidLine)
    throw new DataError(`${path}: neither JSON lines nor JSON: ${whole}. Check the format and the file.`, {
      code: 'not-json',
    })
}

/**
 * Returns the first JSON value of a file, or the first item when the file is a list; undefined when the file has none.
 *
 * @throws DataError `unreadable-log` or `unsupported-compression`
 */
export async function firstRecord(path: string): Promise<unknown> {
  try {
    for await (const record of jsonRecords(path)) if ('value' in record) return record.value
  } catch (error) {
    if (error instanceof DataError && error.code === 'not-json') return undefined
    throw error
  }
  return undefined
}

/** Returns what is wrong with a value that has none of a format's fields; null when it has one of them. */
export function findProblem(value: unknown, fields: readonly string[]): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not a JSON object'
  return fields.some(field => field in value) ? null : `it has none of the fields ${fields.join(', ')}`
}

/** Where a record is: its file, and its line from 1. */
export interface LogPlace {
  readonly path: string
  readonly line: number
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
  attemptOf: (record: T, place: LogPlace) => ForeignAttempt | Promise<ForeignAttempt>,
): AsyncGenerator<ReadRecord> {
  for await (const record of jsonRecords(path)) {
    const { line } = record
    if ('problem' in record) {
      yield record
      continue
    }
    const lack = findProblem(record.value, fields)
    if (lack !== null) {
      yield { line, problem: lack, code: 'unknown-log-record' }
      continue
    }
    const parsed = schema.safeParse(record.value)
    yield parsed.success
      ? await toReadRecord(line, () => attemptOf(parsed.data, { path, line }))
      : { line, problem: describeZodProblem(parsed.error, 'record'), code: 'damaged-log-record' }
  }
}

/**
 * Reads the attempt of a record. A record is left out when a DataError has the code of a problem of records, and when its values
 * are nested more deeply than a program can follow.
 */
export async function toReadRecord(
  line: number,
  readAttempt: () => ForeignAttempt | Promise<ForeignAttempt>,
): Promise<ReadRecord> {
  try {
    return { line, attempt: await readAttempt() }
  } catch (error) {
    if (error instanceof RangeError)
      return { line, problem: describeDepth(error), code: 'damaged-log-record' }
    const code = error instanceof DataError && logProblemCodes.find(known => known === error.code)
    if (!code) throw error
    return { line, problem: error.message, code }
  }
}

/** Says that a record could not be followed to its end. */
export function describeDepth(error: RangeError): string {
  return `its values are nested too deeply (${error.message})`
}
