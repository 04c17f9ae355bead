import { constants } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import { DataError } from '../../src/core/errors.ts'
import { requireRegularFile } from '../../src/system/files.ts'
import { splitLines } from '../../src/system/text-lines.ts'

/** Compressions by the first bytes of a file. */
const compressions: readonly { readonly name: string; readonly magic: readonly number[] }[] = [
  { name: 'gzip', magic: [0x1f, 0x8b] },
  { name: 'zstd', magic: [0x28, 0xb5, 0x2f, 0xfd] },
]

async function detectCompression(path: string): Promise<string | null> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    const head = [...buffer.subarray(0, bytesRead)]
    const compression = compressions.find(({ magic }) => magic.every((byte, at) => head[at] === byte))
    return compression?.name ?? null
  } finally {
    await file.close()
  }
}

/** Node has zstd since version 22.15. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => zlib.Gunzip }

function decompressor(path: string, name: string): zlib.Gunzip {
  if (name === 'gzip') return zlib.createGunzip()
  if (createZstdDecompress !== undefined) return createZstdDecompress()
  throw new DataError(
    `${path}: the log is compressed with zstd, which needs Node 22.15 or newer. Unpack it first: zstd -d ${path}`,
    { code: 'unsupported-compression' },
  )
}

function unreadable(path: string, cause: unknown): DataError {
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException
  return new DataError(
    `${path}: the log cannot be read (${code}). Correct the path, or copy the log again.`,
    { code: 'unreadable-log', cause },
  )
}

/**
 * Opens a log. Files compressed with gzip or zstd are unpacked, whatever their name.
 *
 * @throws DataError `unreadable-log`, `unsupported-compression` or `not-a-file`
 */
async function openLogFile(path: string): Promise<Readable> {
  await requireRegularFile(path)
  const compression = await detectCompression(path).catch(cause => {
    throw unreadable(path, cause)
  })
  const unpack = compression === null ? null : decompressor(path, compression)
  const file = createReadStream(path)
  return unpack === null ? file : pipeline(file, unpack, () => {})
}

async function* withoutReadErrors<T>(path: string, chunks: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* chunks
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

/**
 * Yields the text of a log in pieces.
 *
 * @throws DataError `unreadable-log`, `unsupported-compression` or `not-a-file`
 */
export async function* logPieces(path: string): AsyncGenerator<string> {
  const log = await openLogFile(path)
  yield* withoutReadErrors<string>(path, log.setEncoding('utf8'))
}

/**
 * Yields the lines of a log; null for a line that is longer than a text can be. A carriage return also ends a line.
 *
 * @throws DataError `unreadable-log`, `unsupported-compression` or `not-a-file`
 */
export async function* logLines(path: string): AsyncGenerator<string | null> {
  for await (const { bytes } of splitLines(withoutReadErrors<Buffer>(path, await openLogFile(path))))
    if (bytes === null) yield null
    else yield* bytes.toString('utf8').replace(/\r$/, '').split('\r')
}

/** A text is longer than a string can be. */
export class TooLongText extends Error {}

/**
 * Returns the whole text of a log.
 *
 * @throws DataError `unreadable-log` or `unsupported-compression`; TooLongText
 */
export async function logText(path: string): Promise<string> {
  const pieces: string[] = []
  let length = 0
  for await (const piece of logPieces(path)) {
    pieces.push(piece)
    length += piece.length
    if (length > constants.MAX_STRING_LENGTH) throw new TooLongText('longer than a string can be')
  }
  return pieces.join('')
}
