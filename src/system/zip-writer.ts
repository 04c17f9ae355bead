import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import * as zlib from 'node:zlib'
import { endSignature, in16, in32 } from './zip.ts'

/** The facts about a file in an archive that is being written. */
interface WrittenFile {
  readonly name: string
  readonly crc: number
  readonly packedBytes: number
  readonly bytes: number
  /** Where its local header starts. */
  readonly offset: number
}

const needs64 = (value: number): boolean => value >= in32

/** A number of a record: how many bytes it takes, and its value. */
type RecordField = readonly [bytes: 2 | 4 | 8, value: number]

/** Writes the numbers of a record of the format (PKWARE's APPNOTE 6.3.10, section 4.3) one after the other, little-endian. */
function packFields(fields: readonly RecordField[]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes)
      if (bytes === 8) field.writeBigUInt64LE(BigInt(value))
      else field.writeUIntLE(value, 0, bytes)
      return field
    }),
  )
}

const signature = (bytes: string): Buffer => Buffer.from(bytes, 'latin1')
/** The version of the format that a reader needs. */
const [plainVersion, zip64Version] = [20, 45]

/**
 * The headers of a file: the one before its bytes, and the one in the directory. Their time is always the same. The system is
 * Unix, because some programs ignore that names are in UTF-8 when it is another.
 */
function writeFileHeaders(file: WrittenFile): { readonly local: Buffer; readonly central: Buffer } {
  const { name, crc, packedBytes, bytes, offset } = file
  const isLarge = [packedBytes, bytes, offset].some(needs64)
  // The offset is in the directory only, so the extra field of the local header has the sizes alone.
  const packExtra = (values: readonly number[]): Buffer =>
    isLarge
      ? packFields([[2, 1], [2, 8 * values.length], ...values.map((value): RecordField => [8, value])])
      : Buffer.alloc(0)
  const packCommon = (extra: Buffer): Buffer =>
    packFields([
      [2, isLarge ? zip64Version : plainVersion],
      [2, 0x800], // names in UTF-8
      [2, 8], // deflated
      [2, 0],
      [2, 0x21], // 1980-01-01, the first day that a ZIP archive can state
      [4, crc],
      [4, isLarge ? in32 : packedBytes],
      [4, isLarge ? in32 : bytes],
      [2, Buffer.byteLength(name)],
      [2, extra.length],
    ])
  const [localExtra, centralExtra] = [
    packExtra([bytes, packedBytes]),
    packExtra([bytes, packedBytes, offset]),
  ]
  const place = packFields([
    [2, 0], // length of the comment
    [2, 0], // disk
    [2, 0], // internal attributes
    [4, 0o100644 * 0x10000], // a regular file that its owner can write
    [4, isLarge ? in32 : offset],
  ])
  return {
    local: Buffer.concat([signature('PK\x03\x04'), packCommon(localExtra), Buffer.from(name), localExtra]),
    central: Buffer.concat([
      signature('PK\x01\x02'),
      Buffer.from([0x14, 3]), // written by version 2.0 on Unix
      packCommon(centralExtra),
      place,
      Buffer.from(name),
      centralExtra,
    ]),
  }
}

/** The end of an archive: its directory, and where that is. */
function writeArchiveEnd(directory: readonly Buffer[], offset: number): Buffer {
  const central = Buffer.concat(directory)
  const entries = directory.length
  const isLarge = entries >= in16 || needs64(offset) || needs64(central.length)
  const end = packFields([
    [2, 0], // disk
    [2, 0], // disk of the directory
    [2, isLarge ? in16 : entries],
    [2, isLarge ? in16 : entries],
    [4, isLarge ? in32 : central.length],
    [4, isLarge ? in32 : offset],
    [2, 0], // length of the comment
  ])
  if (!isLarge) return Buffer.concat([central, endSignature, end])
  const largeEnd = packFields([
    [8, 44], // length of the rest of this record
    [2, zip64Version],
    [2, zip64Version],
    [4, 0], // disk
    [4, 0], // disk of the directory
    [8, entries],
    [8, entries],
    [8, central.length],
    [8, offset],
  ])
  const locator = packFields([
    [4, 0], // disk
    [8, offset + central.length],
    [4, 1], // number of disks
  ])
  const large = [signature('PK\x06\x06'), largeEnd, signature('PK\x06\x07'), locator]
  return Buffer.concat([central, ...large, endSignature, end])
}

/** Returns a ZIP archive of files by their names. Texts are written as UTF-8. */
export function writeZip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const pieces: Buffer[] = []
  const writer = createZipWriter(piece => void pieces.push(piece))
  for (const [name, content] of Object.entries(files)) writer.add(name, Buffer.from(content as string))
  writer.end()
  return Buffer.concat(pieces)
}

/** Writes a ZIP archive, one file at a time. Equal files in the same order make equal bytes. */
export interface ZipWriter {
  add(name: string, content: Buffer): void
  /**
   * Adds a file piece by piece. It is read twice: a ZIP archive states sizes before the content.
   *
   * @throws Error when the second reading differs from the first; the errors of `pieces`
   */
  addPieces(name: string, pieces: () => Iterable<Buffer>): Promise<void>
  /** Writes the directory. */
  end(): void
}

/**
 * Creates a writer of an archive.
 *
 * @param write receives the bytes of the archive, in order
 */
export function createZipWriter(write: (bytes: Buffer) => void): ZipWriter {
  const directory: Buffer[] = []
  let offset = 0
  const begin = (file: Omit<WrittenFile, 'offset'>): void => {
    const { local, central } = writeFileHeaders({ ...file, offset })
    directory.push(central)
    write(local)
    offset += local.length + file.packedBytes
  }
  return {
    add(name, content) {
      const packed = zlib.deflateRawSync(content)
      begin({ name, crc: zlib.crc32(content), packedBytes: packed.length, bytes: content.length })
      write(packed)
    },
    async addPieces(name, pieces) {
      const measure = async (take: (packed: Buffer) => void) => {
        const facts = { crc: 0, packedBytes: 0, bytes: 0 }
        function* measured(): Generator<Buffer> {
          for (const piece of pieces()) {
            facts.crc = zlib.crc32(piece, facts.crc)
            facts.bytes += piece.length
            yield piece
          }
        }
        await pipeline(Readable.from(measured()), zlib.createDeflateRaw(), async deflated => {
          for await (const packed of deflated as AsyncIterable<Buffer>) {
            facts.packedBytes += packed.length
            take(packed)
          }
        })
        return facts
      }
      const stated = await measure(() => undefined)
      begin({ name, ...stated })
      if (!isDeepStrictEqual(await measure(write), stated))
        throw new Error(`${name} changed while it was written to an archive`)
    },
    end: () => write(writeArchiveEnd(directory, offset)),
  }
}
