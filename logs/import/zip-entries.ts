import * as zlib from 'node:zlib'
import { DataError } from '../../src/core/errors.ts'
import { firstLineOf } from '../../src/core/first-line.ts'

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50
const longestComment = 0xffff

/** One file of an archive, unpacked when it is read. */
export interface ZipEntry {
  readonly name: string
  text(): string
}

/** zstd came to Node with version 22.15; its types may lack it. */
const zstd = (zlib as { zstdDecompressSync?: (data: Uint8Array) => Buffer }).zstdDecompressSync

/** What a broken archive makes Node throw (a bad stream, an offset beyond its end), as the DataError it is. */
function orBroken<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof DataError) throw cause
    throw new DataError(`${place}: cannot be unpacked: ${firstLineOf(cause)}`, { cause })
  }
}

function unpack(data: Buffer, method: number, place: string): Buffer {
  if (method === 0) return data
  if (method === 8) return zlib.inflateRawSync(data)
  if (method === 93 && zstd !== undefined) return zstd(data)
  const mend = method === 93 ? 'packed with zstd: needs Node 22.15 or later' : `packed by method ${method}`
  throw new DataError(
    `${place}: ${mend} ('inspect log convert --to json --output-dir DIR' writes a log that can be read)`,
  )
}

/**
 * The files of a ZIP archive by its directory, of one name the last, as it replaces the others; DataError where it is
 * none. Archives beyond 4 GB are not read.
 */
export function zipEntries(bytes: Buffer, place: string): ZipEntry[] {
  const from = Math.max(0, bytes.length - 22 - longestComment)
  let end = bytes.length - 22
  while (end >= from && bytes.readUInt32LE(end) !== endOfDirectory) end--
  if (end < from) throw new DataError(`${place}: no ZIP archive`)
  const entries = new Map<string, ZipEntry>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== directoryEntry)
      throw new DataError(`${place}: the ZIP archive's directory is broken`)
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)]
    const [nameLength, extraLength] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30)]
    const header = bytes.readUInt32LE(at + 42)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    entries.set(name, {
      name,
      text: () =>
        orBroken(`${place}: ${name}`, () => {
          const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)
          return unpack(bytes.subarray(start, start + size), method, `${place}: ${name}`).toString('utf8')
        }),
    })
    at += 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32)
  }
  return [...entries.values()]
}
