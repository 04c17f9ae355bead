import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { tooLargeError } from './reading-limits.ts'

/** A file of a ZIP archive. It is unpacked when it is read. */
export interface ZipFile {
  readonly name: string
  /** Its bytes when unpacked, as the directory states them. */
  readonly size: number
  /** The CRC-32 of its unpacked bytes, as the directory states it. */
  readonly crc: number
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
  /**
   * Unpacks the content piece by piece, for files that may be larger than memory. The stream fails when the file is damaged, or
   * compressed by another method than deflate.
   */
  stream(): Readable
}

/** The bytes of an archive, in memory or in a file. */
interface ZipSource {
  readonly bytes: number
  read(start: number, length: number): Buffer
}

/** An archive in a file, of which only the directory is in memory. */
export interface OpenZipFile {
  readonly files: ReadonlyMap<string, ZipFile>
  /** How many entries the directory has: more than `files` when a name occurs twice. */
  readonly entries: number
  close(): void
}

/** The first bytes of the record at the end of an archive. */
export const endSignature = Buffer.from('PK\x05\x06', 'latin1')
const directorySignature = 0x02014b50
/** In place of a value that is in the extra field for archives of more than 4 GB. */
export const [in16, in32] = [0xffff, 0xffffffff]
/** Node supports zstd from version 22.15, and the installed types may lack it. */
const zstd = (zlib as { zstdDecompressSync?: (data: Uint8Array, options: object) => Buffer })
  .zstdDecompressSync

/**
 * Reads the directory of a ZIP archive. When a name occurs twice, the later file replaces the earlier
 * one, as in logs that were written again. The decision record 0016 says why this is not a library.
 * @param maxFileBytes the most bytes of one unpacked file; the limit against decompression bombs
 * @returns the files by name
 * @throws Error when the bytes are not a ZIP archive or its directory is damaged
 */
export function openZip(bytes: Uint8Array, maxFileBytes: number): ReadonlyMap<string, ZipFile> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const read = (start: number, length: number): Buffer => archive.subarray(start, start + length)
  return readDirectory({ bytes: archive.length, read }, archive.length, maxFileBytes).files
}

/** A comment at the end of an archive has at most 64 kB. */
const maxEndBytes = 70_000

/**
 * Opens an archive in a file without reading it into memory.
 * @param maxFileBytes as in `openZip`
 * @throws the errors of `openZip`, and those of the file system
 */
export function openZipFile(path: string, maxFileBytes: number): OpenZipFile {
  const file = openSync(path, 'r')
  try {
    const read = (start: number, length: number): Buffer => {
      const piece = Buffer.alloc(length)
      return piece.subarray(0, readSync(file, piece, 0, length, start))
    }
    const source = { bytes: fstatSync(file).size, read }
    return { ...readDirectory(source, maxEndBytes, maxFileBytes), close: () => closeSync(file) }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function readDirectory(
  source: ZipSource,
  endBytes: number,
  maxFileBytes: number,
): Omit<OpenZipFile, 'close'> {
  const tailStart = Math.max(0, source.bytes - endBytes)
  const tail = source.read(tailStart, source.bytes - tailStart)
  const endAt = tail.lastIndexOf(endSignature)
  if (endAt < 0) throw new Error('not a complete ZIP archive: its directory is missing')
  const { entries, start } = readEnd(source, tail.subarray(endAt), tailStart + endAt)
  if (start > tailStart + endAt) throw new Error('damaged ZIP directory')
  const directory = source.read(start, tailStart + endAt - start)
  const files = new Map<string, ZipFile>()
  let at = 0
  for (let left = entries; left > 0; left--) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== directorySignature)
      throw new Error('damaged ZIP directory')
    const entry = directory.subarray(at)
    const nameEnd = 46 + entry.readUInt16LE(28)
    const file = zipFile(source, entry, maxFileBytes)
    files.set(file.name, file)
    at += nameEnd + entry.readUInt16LE(30) + entry.readUInt16LE(32)
  }
  return { files, entries }
}

/** Reads how many entries the directory has and where it starts, also of an archive of more than 4 GB or 65,535 files. */
function readEnd(source: ZipSource, end: Buffer, endAt: number): { entries: number; start: number } {
  const [entries, start] = [end.readUInt16LE(10), end.readUInt32LE(16)]
  if (entries !== in16 && start !== in32) return { entries, start }
  const locator = source.read(Math.max(0, endAt - 20), 20)
  if (locator.length < 20 || locator.readUInt32LE(0) !== 0x07064b50) return { entries, start }
  const large = source.read(Number(locator.readBigUInt64LE(8)), 56)
  if (large.length < 56) throw new Error('damaged ZIP directory')
  return { entries: Number(large.readBigUInt64LE(32)), start: Number(large.readBigUInt64LE(48)) }
}

/** The place of a file's packed bytes, and what they become. */
interface PackedBytes {
  readonly method: number
  readonly packedBytes: number
  readonly size: number
  /** Where its local header starts. */
  readonly header: number
}

function zipFile(source: ZipSource, entry: Buffer, maxFileBytes: number): ZipFile {
  const nameEnd = 46 + entry.readUInt16LE(28)
  const file = readSizes(entry, entry.subarray(nameEnd, nameEnd + entry.readUInt16LE(30)))
  const bytes = (): Buffer => unpack(source, file, maxFileBytes)
  return {
    name: entry.toString('utf8', 46, nameEnd),
    size: file.size,
    crc: entry.readUInt32LE(16),
    bytes,
    text: () => bytes().toString('utf8'),
    stream: () => unpackStream(source, file),
  }
}

/** Reads the sizes of a file. Those of 4 GB and more are in the extra field 1. */
function readSizes(entry: Buffer, extra: Buffer): PackedBytes {
  let large: Buffer = Buffer.alloc(0)
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 1) large = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  const sizeAt = (at: number): number => {
    const value = entry.readUInt32LE(at)
    if (value !== in32 || large.length < 8) return value
    const whole = Number(large.readBigUInt64LE(0))
    large = large.subarray(8)
    return whole
  }
  const size = sizeAt(24)
  return { method: entry.readUInt16LE(10), size, packedBytes: sizeAt(20), header: sizeAt(42) }
}

function dataStart(source: ZipSource, { header }: PackedBytes): number {
  const local = source.read(header, 30)
  if (local.length < 30) throw new Error('damaged ZIP archive: a file in it is cut short')
  return header + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
}

const pieceBytes = 1_000_000

function unpackStream(source: ZipSource, file: PackedBytes): Readable {
  const start = dataStart(source, file)
  function* pieces(): Generator<Buffer> {
    for (let at = 0; at < file.packedBytes && start + at < source.bytes; at += pieceBytes)
      yield source.read(start + at, Math.min(pieceBytes, file.packedBytes - at))
  }
  const packed = Readable.from(pieces())
  if (file.method === 0) return packed
  const inflate: Transform = zlib.createInflateRaw()
  if (file.method !== 8) inflate.destroy(new Error(`compressed by method ${file.method}`))
  packed.on('error', error => inflate.destroy(error))
  return packed.pipe(inflate)
}

/** Unpacks the file that a directory entry describes. */
function unpack(source: ZipSource, file: PackedBytes, maxOutputLength: number): Buffer {
  const { method, packedBytes } = file
  if (packedBytes > source.bytes) throw new Error('damaged ZIP archive: a file in it is cut short')
  const packed = source.read(dataStart(source, file), packedBytes)
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
