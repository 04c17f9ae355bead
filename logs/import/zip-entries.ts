import * as zlib from 'node:zlib'
import { DataError } from '../../src/core/errors.ts'
import { firstLineOf } from '../../src/core/first-line.ts'

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50
const longestComment = 0xffff

/** One file of an archive. It is unpacked when `read` is called. */
export interface ZipEntry {
  readonly name: string
  text(): string
}

/** Node added zstd in version 22.15; the type declarations may lack it. */
const zstd = (zlib as { zstdDecompressSync?: (data: Uint8Array) => Buffer }).zstdDecompressSync

/**
 * Turns the errors that Node throws for a damaged archive (an invalid stream, an offset beyond the end) into a
 * DataError.
 */
function withDamageReported<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof DataError) throw cause
    throw new DataError(`${place}: cannot be unpacked: ${firstLineOf(cause)}`, { code: 'damaged-zip', cause })
  }
}

function unpack(data: Buffer, method: number, place: string): Buffer {
  if (method === 0) return data
  if (method === 8) return zlib.inflateRawSync(data)
  if (method === 93 && zstd !== undefined) return zstd(data)
  const problem =
    method === 93
      ? 'compressed with zstd, which needs Node 22.15 or later'
      : `compressed with method ${method}`
  throw new DataError(
    `${place}: ${problem}; convert the log: inspect log convert --to json --output-dir DIR`,
    { code: 'unsupported-archive' },
  )
}

/**
 * Lists the files of a ZIP archive by its directory. When a name occurs twice, the last file replaces the others.
 * Archives beyond 4 GB are not supported.
 *
 * @throws DataError `not-a-zip` or `damaged-zip`; reading a file also `unsupported-archive`
 */
export function zipEntries(bytes: Buffer, place: string): ZipEntry[] {
  const from = Math.max(0, bytes.length - 22 - longestComment)
  let end = bytes.length - 22
  while (end >= from && bytes.readUInt32LE(end) !== endOfDirectory) end--
  if (end < from) throw new DataError(`${place}: not a ZIP archive`, { code: 'not-a-zip' })
  const entries = new Map<string, ZipEntry>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== directoryEntry)
      throw new DataError(`${place}: the directory of the ZIP archive is damaged`, { code: 'damaged-zip' })
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)]
    const [nameLength, extraLength] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30)]
    const header = bytes.readUInt32LE(at + 42)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    entries.set(name, {
      name,
      text: () =>
        withDamageReported(`${place}: ${name}`, () => {
          const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)
          return unpack(bytes.subarray(start, start + size), method, `${place}: ${name}`).toString('utf8')
        }),
    })
    at += 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32)
  }
  return [...entries.values()]
}
