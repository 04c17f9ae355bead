import { createHash } from 'node:crypto'
import type { z } from 'zod/v4'
import { describeZodProblem } from '../src/core/zod-problems.ts'
import { invalidRecord } from './validate/problem.ts'

/**
 * Reads a record from a line of a file whose questions may be encrypted.
 *
 * @param text the line; null when it is not UTF-8
 * @throws DataError `invalid-record`; the message never quotes the line
 */
export function parseQuietly<T>(text: string | null, schema: z.ZodType<T>): T {
  if (text === null) throw invalidRecord('not UTF-8. Save the file as UTF-8.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // The message of JSON.parse quotes the text, which may contain a question.
    throw invalidRecord('not JSON. Write one record per line.', error)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidRecord(`${describeZodProblem(parsed.error, 'record')}. Correct the record.`)
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
    throw invalidRecord(
      'the record cannot be decrypted with its canary. Check the canary and the download.',
      error,
    )
  }
}
