import * as zlib from 'node:zlib'
import { tooLargeError } from './reading-limits.ts'

/** A file of a ZIP archive. It is unpacked when it is read. */
export interface ZipFile {
  readonly name: string
  /**
   * Returns the content as UTF-8 text.
   * @throws Error when the file is damaged or compressed by an unknown method
   * @throws TooLargeError when it is larger than `maxFileBytes`
   */
  text(): string
}

const endSignature = Buffer.from('PK\x05\x06', 'latin1')
const directorySignature = 0x02014b50
/** Node supports zstd from version 22.15, and the installed types may lack it. */
const zstd = (zlib as { zstdDecompressSync?: (data: Uint8Array, options: object) => Buffer })
  .zstdDecompressSync

/**
 * Reads the directory of a ZIP archive of up to 4 GB. When a name occurs twice, the later file replaces the earlier
 * one, as in logs that were written again. The decision record 0016 says why this is not a library.
 * @param maxFileBytes the most bytes of one unpacked file; the limit against decompression bombs
 * @returns the files by name
 * @throws Error when the bytes are not a ZIP archive or its directory is damaged
 */
export function openZip(bytes: Uint8Array, maxFileBytes: number): ReadonlyMap<string, ZipFile> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = archive.lastIndexOf(endSignature)
  if (end < 0) throw new Error('not a complete ZIP archive: its directory is missing')
  const files = new Map<string, ZipFile>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== directorySignature) throw new Error('damaged ZIP directory')
    const entry = archive.subarray(at)
    const nameEnd = 46 + entry.readUInt16LE(28)
    const name = entry.toString('utf8', 46, nameEnd)
    files.set(name, { name, text: () => unpack(archive, entry, maxFileBytes).toString('utf8') })
    at += nameEnd + entry.readUInt16LE(30) + entry.readUInt16LE(32)
  }
  return files
}

/** Unpacks the file that a directory entry describes. */
function unpack(archive: Buffer, entry: Buffer, maxOutputLength: number): Buffer {
  const [method, packedBytes, header] = [
    entry.readUInt16LE(10),
    entry.readUInt32LE(20),
    entry.readUInt32LE(42),
  ]
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
  const packed = archive.subarray(start, start + packedBytes)
  try {
    if (method === 0) return packed
    if (method === 8) return zlib.inflateRawSync(packed, { maxOutputLength })
    if (method === 93 && zstd !== undefined) return zstd(packed, { maxOutputLength })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error
    throw tooLargeError(maxOutputLength, 'bytes when unpacked')
  }
  const problem =
    method === 93 ? 'compressed with zstd, which needs Node 22.15 or later' : `compressed by method ${method}`
  throw new Error(problem)
}
