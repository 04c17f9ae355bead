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

/**
 * The headers of a file: the one before its bytes, and the one in the directory. Their time is always the same. The system is
 * Unix, because some programs ignore that names are in UTF-8 when it is another.
 */
function fileHeaders(file: WrittenFile): { readonly local: Buffer; readonly central: Buffer } {
  const { name, crc, packedBytes, bytes, offset } = file
  const isLarge = [packedBytes, bytes, offset].some(needs64)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(isLarge ? 45 : 20, 0)
  common.writeUInt16LE(0x800, 2) // names in UTF-8
  common.writeUInt16LE(8, 4)
  common.writeUInt16LE(0x21, 8) // 1980-01-01, the first day that a ZIP archive can state
  common.writeUInt32LE(crc, 10)
  common.writeUInt32LE(isLarge ? in32 : packedBytes, 14)
  common.writeUInt32LE(isLarge ? in32 : bytes, 18)
  common.writeUInt16LE(Buffer.byteLength(name), 22)
  // The offset is in the directory only, so the extra field of the local header has the sizes alone.
  const extra = (values: readonly number[]): Buffer => {
    if (!isLarge) return Buffer.alloc(0)
    const field = Buffer.alloc(4 + 8 * values.length)
    field.writeUInt16LE(1, 0)
    field.writeUInt16LE(8 * values.length, 2)
    values.forEach((value, at) => void field.writeBigUInt64LE(BigInt(value), 4 + 8 * at))
    return field
  }
  const withExtra = (field: Buffer): Buffer => {
    const header = Buffer.from(common)
    header.writeUInt16LE(field.length, 24)
    return header
  }
  const [localExtra, centralExtra] = [extra([bytes, packedBytes]), extra([bytes, packedBytes, offset])]
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(0o100644 * 0x10000, 6) // a regular file that its owner can write
  tail.writeUInt32LE(isLarge ? in32 : offset, 10)
  const central = [
    Buffer.from('PK\x01\x02\x14\x03', 'latin1'),
    withExtra(centralExtra),
    tail,
    Buffer.from(name),
  ]
  return {
    local: Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      withExtra(localExtra),
      Buffer.from(name),
      localExtra,
    ]),
    central: Buffer.concat([...central, centralExtra]),
  }
}

/** The end of an archive: its directory, and where that is. */
function archiveEnd(directory: readonly Buffer[], offset: number): Buffer {
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  endSignature.copy(end)
  const isLarge = directory.length >= in16 || needs64(offset) || needs64(central.length)
  for (const at of [8, 10]) end.writeUInt16LE(isLarge ? in16 : directory.length, at)
  end.writeUInt32LE(isLarge ? in32 : central.length, 12)
  end.writeUInt32LE(isLarge ? in32 : offset, 16)
  if (!isLarge) return Buffer.concat([central, end])
  const large = Buffer.alloc(76)
  large.write('PK\x06\x06', 0, 'latin1')
  large.writeBigUInt64LE(44n, 4)
  for (const at of [12, 14]) large.writeUInt16LE(45, at)
  for (const at of [24, 32]) large.writeBigUInt64LE(BigInt(directory.length), at)
  large.writeBigUInt64LE(BigInt(central.length), 40)
  large.writeBigUInt64LE(BigInt(offset), 48)
  large.write('PK\x06\x07', 56, 'latin1')
  large.writeBigUInt64LE(BigInt(offset + central.length), 64)
  large.writeUInt32LE(1, 72)
  return Buffer.concat([central, large, end])
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
    const { local, central } = fileHeaders({ ...file, offset })
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
    end: () => write(archiveEnd(directory, offset)),
  }
}
