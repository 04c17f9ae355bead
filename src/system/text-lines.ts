import { createReadStream } from 'node:fs'

/** A line that is not blank: its 1-based number and its text. The text is null when the bytes are not UTF-8. */
export interface SourceLine {
  readonly line: number
  readonly text: string | null
}

const newline = 0x0a
const byteOrderMark = '\uFEFF'

/** Splits at line feeds only, because U+2028 and single carriage returns may occur inside JSON strings. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      yield Buffer.concat([...pending, chunk.subarray(start, end)])
      pending = []
      start = end + 1
    }
    pending.push(chunk.subarray(start))
  }
  yield Buffer.concat(pending)
}

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
 * @throws Error of the file system, with `code` and `syscall`
 */
export async function* readTextLines(path: string): AsyncGenerator<SourceLine> {
  let line = 0
  for await (const bytes of splitLines(createReadStream(path))) {
    line += 1
    const decoded = decode(bytes)
    const text = line === 1 && decoded?.startsWith(byteOrderMark) ? decoded.slice(1) : decoded
    if (text === null || text.trim() !== '') yield { line, text: text?.replace(/\r$/, '') ?? null }
  }
}
