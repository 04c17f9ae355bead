/** The types of the records that are read ([MS-PPT] 2.13.24). */
const types = {
  slide: 1006,
  slidePersist: 1011,
  userEdit: 4085,
  persistDirectory: 6002,
  slideList: 4080,
  textChars: 4000,
  textBytes: 4008,
  document: 1000,
} as const

interface PowerPointRecord {
  readonly type: number
  readonly instance: number
  readonly isContainer: boolean
  readonly start: number
  readonly end: number
}

/** Records are nested less deeply in any file that PowerPoint writes. */
const maxLevels = 50

function* listRecords(bytes: Buffer, start: number, end: number): Generator<PowerPointRecord> {
  for (let at = start; at + 8 <= end; ) {
    const head = bytes.readUInt16LE(at)
    const length = bytes.readUInt32LE(at + 4)
    const next = at + 8 + length
    if (next > end) return
    yield {
      type: bytes.readUInt16LE(at + 2),
      instance: head >> 4,
      isContainer: (head & 15) === 15,
      start: at + 8,
      end: next,
    }
    at = next
  }
}

function recordAt(bytes: Buffer, offset: number | undefined): PowerPointRecord | null {
  if (offset === undefined || offset + 8 > bytes.length) return null
  const [record] = listRecords(bytes, offset, bytes.length)
  return record ?? null
}

/**
 * Returns the text of each slide: that of its outline, then that of its other shapes.
 *
 * @param bytes the stream `PowerPoint Document`
 * @param user the stream `Current User`, which says where the last edit begins
 */
export function readSlideTexts(bytes: Buffer, user: Buffer): string[] {
  const places = readPersistDirectory(bytes, user.readUInt32LE(16))
  const main = [...places.values()]
    .map(place => recordAt(bytes, place))
    .find(record => record?.type === types.document)
  if (main === null || main === undefined) throw new Error('it has no document record')
  const slides: { readonly outline: string[]; readonly shapes: readonly string[] }[] = []
  for (const list of listRecords(bytes, main.start, main.end)) {
    if (list.type !== types.slideList || list.instance !== 0) continue
    for (const record of listRecords(bytes, list.start, list.end)) {
      if (record.type === types.slidePersist) {
        const slide = recordAt(bytes, places.get(bytes.readUInt32LE(record.start)))
        slides.push({ outline: [], shapes: slide?.type === types.slide ? readTexts(bytes, slide, 0) : [] })
      } else slides.at(-1)?.outline.push(...readText(bytes, record))
    }
  }
  return slides.map(({ outline, shapes }) => [...outline, ...shapes].join('\n'))
}

/** Returns the offset of each persistent object. Later edits come before earlier ones, and count. */
function readPersistDirectory(bytes: Buffer, lastEdit: number): Map<number, number> {
  const places = new Map<number, number>()
  const offsets = new Set<number>()
  for (let offset = lastEdit; offset > 0 && !offsets.has(offset); ) {
    offsets.add(offset)
    const edit = recordAt(bytes, offset)
    if (edit?.type !== types.userEdit) break
    const directory = recordAt(bytes, bytes.readUInt32LE(edit.start + 12))
    if (directory?.type === types.persistDirectory) addPlaces(bytes, directory, places)
    offset = bytes.readUInt32LE(edit.start + 8)
  }
  return places
}

function addPlaces(bytes: Buffer, { start, end }: PowerPointRecord, places: Map<number, number>): void {
  for (let at = start; at + 4 <= end; ) {
    const head = bytes.readUInt32LE(at)
    const first = head & 0xfffff
    const count = head >>> 20
    for (let index = 0; index < count && at + 8 + index * 4 <= end; index += 1) {
      const place = bytes.readUInt32LE(at + 4 + index * 4)
      if (!places.has(first + index)) places.set(first + index, place)
    }
    at += 4 + count * 4
  }
}

function readTexts(bytes: Buffer, container: PowerPointRecord, level: number): string[] {
  if (level > maxLevels) return []
  const texts: string[] = []
  for (const record of listRecords(bytes, container.start, container.end))
    texts.push(
      ...(record.isContainer || record.type === clientTextbox
        ? readTexts(bytes, record, level + 1)
        : readText(bytes, record)),
    )
  return texts
}

/** The record of a shape that contains its text ([MS-PPT] 2.9.76). */
const clientTextbox = 0xf00d

/** Returns the text of a record as lines; none when it has no text. */
function readText(bytes: Buffer, { type, start, end }: PowerPointRecord): string[] {
  if (type !== types.textChars && type !== types.textBytes) return []
  const text = bytes.toString(type === types.textChars ? 'utf16le' : 'latin1', start, end)
  return [text.replaceAll(/[\r\v]/g, '\n').trim()].filter(line => line !== '' && line !== '*')
}
