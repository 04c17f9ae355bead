import { readFileSync } from 'node:fs'
import { ConfigError, DataError } from '../core/errors.ts'
import { whyUnreadable } from '../system/files.ts'

/**
 * The cases of a --batch file in their order, as `casesOf` takes them from its bytes. ConfigError where it can't be read;
 * DataError that names the case, and what is wanted, where `casesOf` throws a SyntaxError or a value is nested too deep
 * (RangeError).
 */
export async function* readBatch<T>(
  file: string,
  wanted: string,
  casesOf: (data: Buffer) => Iterable<T> | AsyncIterable<T>,
): AsyncGenerator<T> {
  const data = bytesOf(file, wanted)
  if (isBlank(data)) throw new DataError(`--batch ${file}: is empty; wanted: ${wanted}`)
  let number = 1
  try {
    for await (const one of casesOf(data)) {
      yield one
      number += 1
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    throw new DataError(`${file}: case ${number}: ${error.message}; wanted: ${wanted}`)
  }
}

/** Read at one go: in pieces, as the asynchronous way does, a large file takes twice its memory and far longer. */
function bytesOf(file: string, wanted: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new ConfigError(`--batch ${file}: ${whyUnreadable(error)}; wanted: a file of ${wanted}`)
  }
}

function isBlank(data: Buffer): boolean {
  return data.every(byte => byte <= 32)
}
