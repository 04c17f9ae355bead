import { constants } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { DataError } from '../core/errors.ts'

/** A line of a file as bytes. */
interface ByteLine {
  /** Null when the line is longer than a text can be. */
  readonly bytes: Buffer | null
  /** The position of its first byte. */
  readonly start: number
  /** Its length in bytes, without the line feed. */
  readonly length: number
  /** False for the last line of a file that does not end with a line feed. */
  readonly isEnded: boolean
}

const lineFeed = 0x0a

/**
 * Splits bytes at line feeds only, because U+2028 and single carriage returns may occur inside JSON strings. A line that is
 * longer than a text can be is not kept in memory.
 *
 * @param from the position of the first byte
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, from = 0): AsyncGenerator<ByteLine> {
  let pending: Uint8Array[] = []
  let [start, length] = [from, 0]
  const add = (bytes: Uint8Array): void => {
    length += bytes.length
    if (length > constants.MAX_STRING_LENGTH) pending = []
    else pending.push(bytes)
  }
  const endLine = (isEnded: boolean): ByteLine => {
    const isKept = length <= constants.MAX_STRING_LENGTH
    const line = { bytes: isKept ? Buffer.concat(pending, length) : null, start, length, isEnded }
    start += length + 1
    ;[pending, length] = [[], 0]
    return line
  }
  for await (const chunk of chunks) {
    let begin = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, begin)) {
      add(chunk.subarray(begin, end))
      yield endLine(true)
      begin = end + 1
    }
    add(chunk.subarray(begin))
  }
  if (length > 0) yield endLine(false)
}

/** A line that is not blank: its 1-based number and its text. The text is null when the bytes are not UTF-8. */
export interface SourceLine {
  readonly line: number
  readonly text: string | null
}

const byteOrderMark = '\uFEFF'

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/**
 * Reads the non-blank lines of a file one at a time, so that a file of any size can be read. A byte order mark and
 * carriage returns before line feeds are removed.
 *
 * @throws Error of the file system, with `code` and `syscall`; DataError [line-too-long]
 */
export async function* readTextLines(path: string): AsyncGenerator<SourceLine> {
  let line = 0
  for await (const { bytes } of splitLines(createReadStream(path))) {
    line += 1
    if (bytes === null)
      throw new DataError(
        `${path}:${line}: the line is longer than a text can be. Split the record, or check that this is the file.`,
        { code: 'line-too-long' },
      )
    const decoded = decode(bytes)
    const text = line === 1 && decoded?.startsWith(byteOrderMark) ? decoded.slice(1) : decoded
    if (text === null || text.trim() !== '') yield { line, text: text?.replace(/\r$/, '') ?? null }
  }
}
