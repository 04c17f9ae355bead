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
  /**
   * Returns the content.
   * @throws the errors of `text`
   */
  bytes(): Uint8Array
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
    const bytes = (): Buffer => unpack(archive, entry, maxFileBytes)
    files.set(name, { name, bytes, text: () => bytes().toString('utf8') })
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
  if (packed.length < packedBytes) throw new Error('damaged ZIP archive: a file in it is cut short')
  try {
    if (method === 0 && packedBytes > maxOutputLength) throw tooLargeError(maxOutputLength, 'bytes')
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

/** The parts of a ZIP archive that is written file by file. */
export interface ZipWriter {
  /** Returns the bytes of the next file. Texts are written as UTF-8. */
  add(name: string, content: string | Uint8Array): Buffer
  /** Returns the bytes after the last file. */
  end(): Buffer
}

/** Largest values of an archive without the extensions for large archives. */
const maxFiles = 0xffff
const maxArchiveBytes = 0xffffffff

/**
 * Creates the parts of a ZIP archive, so that it need not fit into memory. The directory of its files is kept.
 *
 * @throws RangeError from `add` when the archive would have more than 65,535 files or 4 GB
 */
export function createZipWriter(): ZipWriter {
  const directory: Buffer[] = []
  let files = 0
  let offset = 0
  return {
    add(name, content) {
      const data = Buffer.from(content as string)
      const packed = zlib.deflateRawSync(data)
      const common = Buffer.alloc(26)
      common.writeUInt16LE(20, 0)
      common.writeUInt16LE(0x800, 2) // names in UTF-8
      common.writeUInt16LE(8, 4)
      common.writeUInt32LE(zlib.crc32(data), 10)
      common.writeUInt32LE(packed.length, 14)
      common.writeUInt32LE(data.length, 18)
      common.writeUInt16LE(Buffer.byteLength(name), 22)
      const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed])
      if (files >= maxFiles || offset + entry.length > maxArchiveBytes)
        throw new RangeError('a ZIP archive can have 65,535 files and 4 GB')
      const tail = Buffer.alloc(14)
      tail.writeUInt32LE(offset, 10)
      directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, Buffer.from(name))
      files++
      offset += entry.length
      return entry
    },
    end() {
      const central = Buffer.concat(directory)
      const end = Buffer.alloc(22)
      endSignature.copy(end)
      end.writeUInt16LE(files, 8)
      end.writeUInt16LE(files, 10)
      end.writeUInt32LE(central.length, 12)
      end.writeUInt32LE(offset, 16)
      return Buffer.concat([central, end])
    },
  }
}

/** Returns a ZIP archive of files by their names. Texts are written as UTF-8. */
export function writeZip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const writer = createZipWriter()
  const entries = Object.entries(files).map(([name, content]) => writer.add(name, content))
  return Buffer.concat([...entries, writer.end()])
}
