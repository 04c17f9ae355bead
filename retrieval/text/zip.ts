import { inflateRawSync } from 'node:zlib'

/** The files of a zip archive by name; each is unpacked when asked for. */
export interface ZipArchive {
  readonly names: readonly string[]
  /** UTF-8 text of a file; null where there is none of that name. Throws where the archive is damaged. */
  text(name: string): string | null
}

interface Entry {
  readonly method: number
  readonly packedBytes: number
  readonly headerOffset: number
}

const endSignature = Buffer.from('PK\x05\x06', 'latin1')
const directorySignature = 0x02014b50
/** No part of an Office file is near as large; a bomb is. */
const maxPartBytes = 256 * 1024 * 1024

/** Reads the archive's directory. Throws Error where there is none: the file is cut short or no zip. */
export function openZip(bytes: Uint8Array): ZipArchive {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = file.lastIndexOf(endSignature)
  if (end < 0) throw new Error('the archive has no directory: cut short?')
  const entries = readDirectory(file, file.readUInt16LE(end + 10), file.readUInt32LE(end + 16))
  return {
    names: [...entries.keys()],
    text(name) {
      const entry = entries.get(name)
      return entry === undefined ? null : unpack(file, entry).toString('utf8')
    },
  }
}

function readDirectory(file: Buffer, count: number, start: number): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  let at = start
  for (let number = 0; number < count; number++) {
    if (file.readUInt32LE(at) !== directorySignature) throw new Error('the archive has a broken directory')
    const nameBytes = file.readUInt16LE(at + 28)
    const name = file.toString('utf8', at + 46, at + 46 + nameBytes)
    entries.set(name, {
      method: file.readUInt16LE(at + 10),
      packedBytes: file.readUInt32LE(at + 20),
      headerOffset: file.readUInt32LE(at + 42),
    })
    at += 46 + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}

function unpack(file: Buffer, entry: Entry): Buffer {
  const { headerOffset, packedBytes, method } = entry
  const start =
    headerOffset + 30 + file.readUInt16LE(headerOffset + 26) + file.readUInt16LE(headerOffset + 28)
  const packed = file.subarray(start, start + packedBytes)
  if (method === 0) return packed
  if (method !== 8) throw new Error(`the archive packs by an unknown method (${method})`)
  return inflateRawSync(packed, { maxOutputLength: maxPartBytes })
}
