import { readFileSync } from 'node:fs'
import { ConfigError, DataError } from '../core/errors.ts'
import { whyUnreadable } from '../system/files.ts'

/**
 * Reads the cases of a file, in order.
 *
 * @param form the expected form, for messages
 * @param casesOf reads the cases from the bytes; throws SyntaxError for a wrong case
 * @throws ConfigError [unreadable-batch] when the file cannot be read
 * @throws DataError [empty-batch, invalid-case]; `invalid-case` names the case, also when a value is nested too deep
 * (RangeError)
 */
export async function* readBatch<T>(
  file: string,
  form: string,
  casesOf: (data: Buffer) => Iterable<T> | AsyncIterable<T>,
): AsyncGenerator<T> {
  const data = readBatchBytes(file, form)
  let number = 1
  try {
    for await (const batchCase of casesOf(data)) {
      yield batchCase
      number += 1
    }
  } catch (error) {
    throw makeCaseError(error, { file, number, form: form })
  }
}

/** Where a case is, and the expected form. */
interface CasePlace {
  readonly file: string
  /** The number of the case, from 1. */
  readonly number: number
  readonly form: string
}

/** Returns the error of a wrong case (SyntaxError) or of a value nested too deep (RangeError). Returns any other error as it is. */
export function makeCaseError(error: unknown, { file, number, form }: CasePlace): unknown {
  if (!(error instanceof SyntaxError || error instanceof RangeError)) return error
  return new DataError(`${file}: case ${number}: ${error.message}. Correct the case; expected: ${form}.`, {
    code: 'invalid-case',
  })
}

/**
 * Reads the file in one call. Reading in pieces, as the asynchronous call does, takes twice the memory and much
 * longer.
 *
 * @throws ConfigError [unreadable-batch] DataError [empty-batch]
 */
export function readBatchBytes(file: string, form: string): Buffer {
  let data: Buffer
  try {
    data = readFileSync(file)
  } catch (error) {
    throw new ConfigError(`${file}: ${whyUnreadable(error)}. Name a file of ${form}.`, {
      code: 'unreadable-batch',
    })
  }
  if (data.some(byte => byte > 32)) return data
  throw new DataError(`${file}: the file is empty. Add cases; expected: ${form}.`, { code: 'empty-batch' })
}
