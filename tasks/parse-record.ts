import { createHash } from 'node:crypto'
import { CsvError, parse } from 'csv-parse/sync'
import type { z } from 'zod/v4'
import { canonicalLanguage, codeOfLanguageName } from '../src/core/language.ts'
import type { Language } from '../src/core/task.ts'
import { describeZodProblem } from '../src/core/zod-problems.ts'
import { makeRecordError } from './validate/problem.ts'

/**
 * Checks a record by its schema.
 *
 * @throws DataError `invalid-record`
 */
export function checkRecord<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw makeRecordError(`${describeZodProblem(parsed.error, 'record')}. Correct the record.`)
}

/**
 * Parses a line of a file of records.
 *
 * @param text the line; null when it is not UTF-8
 * @param parseJson parses JSON; throws SyntaxError
 * @throws DataError `invalid-record`
 */
export function parseLine(text: string | null, parseJson: (json: string) => unknown = JSON.parse): unknown {
  if (text === null) throw makeRecordError('not UTF-8. Save the file as UTF-8.')
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw makeRecordError(`not JSON (${error.message.replaceAll('\n', ' ')}). Write one record per line.`)
  }
}

/**
 * Reads a record from a line of a file whose questions may be encrypted.
 *
 * @param text the line; null when it is not UTF-8
 * @throws DataError `invalid-record`; the message never quotes the line
 */
export function parseQuietly<T>(text: string | null, schema: z.ZodType<T>): T {
  const value = parseLine(text, json => {
    try {
      return JSON.parse(json)
    } catch (error) {
      // The message of JSON.parse quotes the text, which may contain a question.
      throw makeRecordError('not JSON. Write one record per line.', error)
    }
  })
  return checkRecord(schema, value)
}

/**
 * Decrypts a text of a benchmark: Base64 of its UTF-8 bytes, each combined by exclusive or with the SHA-256 of the canary,
 * repeated.
 *
 * @throws DataError `invalid-record` when the result is not UTF-8
 */
export function decryptText(text: string, canary: string): string {
  const key = createHash('sha256').update(canary).digest()
  const bytes = Buffer.from(text, 'base64').map((byte, at) => byte ^ key[at % key.length]!)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw makeRecordError(
      'the record cannot be decrypted with its canary. Check the canary and the download.',
      error,
    )
  }
}

/**
 * Parses a gold table of CSV.
 *
 * @param name names the table in messages: `the gold table`
 * @throws DataError `invalid-record`
 */
export function parseGoldCsv(csv: string, name: string): string[][] {
  try {
    return parse(csv, { bom: true, skip_empty_lines: true, relax_column_count: true, relax_quotes: true })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw makeRecordError(`${name} is not CSV (${error.message}). Correct it.`, error)
  }
}

/**
 * Returns a language tag in its canonical form.
 *
 * @throws DataError `invalid-record`. The message suggests the right code when it is known.
 */
export function requireLanguage(tag: string): Language {
  const language = canonicalLanguage(tag)
  if (language !== null) return language
  const code = codeOfLanguageName(tag)
  const fix = code === null ? 'Write a BCP 47 code such as en, zh or pt-BR.' : `Write '${code}'.`
  throw makeRecordError(`language: '${tag}' is not a language code. ${fix}`)
}
