import { inflateRawSync } from 'node:zlib'

const maxFileBytes = 200_000_000
const endMark = 0x06054b50
const entryMark = 0x02014b50
const longestComment = 65_557

/**
 * The files of a zip archive that `wanted` picks, as UTF-8 text by name. Throws RangeError or Error for what is no
 * whole archive, is encrypted, or would unpack to more than 200 MB a file.
 */
export function unzipTexts(bytes: Uint8Array, wanted: (name: string) => boolean): Map<string, string> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(archive)
  const texts = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (archive.readUInt32LE(at) !== entryMark) throw new Error('its list of files is broken')
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    if (wanted(name)) texts.set(name, contentOf(archive, at))
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return texts
}

function endOf(archive: Buffer): number {
  const first = Math.max(0, archive.length - longestComment)
  for (let at = archive.length - 22; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) === endMark) return at
  }
  throw new Error('it is cut off')
}

function contentOf(archive: Buffer, entry: number): string {
  if ((archive.readUInt16LE(entry + 8) & 1) === 1) throw new Error('it is encrypted')
  const method = archive.readUInt16LE(entry + 10)
  const size = archive.readUInt32LE(entry + 20)
  const local = archive.readUInt32LE(entry + 42)
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const packed = archive.subarray(start, start + size)
  if (method === 0) return packed.toString('utf8')
  if (method !== 8) throw new Error(`it is packed by method ${method}`)
  return inflateRawSync(packed, { maxOutputLength: maxFileBytes }).toString('utf8')
}
