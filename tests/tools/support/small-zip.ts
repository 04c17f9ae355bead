import { deflateRawSync } from 'node:zlib'

/** A zip archive of texts, without checksums. */
export function smallZip(files: Readonly<Record<string, string>>): Uint8Array {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const path = Buffer.from(name)
    const plain = Buffer.from(text)
    const packed = deflateRawSync(plain)
    const sizes = Buffer.alloc(12)
    sizes.writeUInt32LE(packed.length, 4)
    sizes.writeUInt32LE(plain.length, 8)
    const lengths = Buffer.alloc(4)
    lengths.writeUInt16LE(path.length, 0)
    const versionAndMethod = Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0])
    const head = Buffer.concat([Buffer.from('PK\u0003\u0004'), versionAndMethod, sizes, lengths, path])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    central.push(
      Buffer.concat([
        Buffer.from('PK\u0001\u0002\u0014\u0000'),
        versionAndMethod,
        sizes,
        lengths,
        place,
        path,
      ]),
    )
    local.push(head, packed)
    offset += head.length + packed.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(central.length, 8)
  end.writeUInt16LE(central.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, list, end])
}
