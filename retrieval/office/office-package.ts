import { readingLimits } from '../../src/system/reading-limits.ts'
import { openZip } from '../../src/system/zip.ts'
import { listElements, parseXml } from './xml-tree.ts'

/** A relationship of a part of an Office file to another part. */
export interface Relationship {
  readonly id: string
  /** The last part of the type's address, such as `worksheet`; it is the same in strict and transitional files. */
  readonly kind: string
  /** The name of the other part. */
  readonly target: string
}

/** The parts of an Office Open XML file (ECMA-376 part 2). Names are compared without case. */
export interface OfficePackage {
  /** The name of the main part. */
  readonly main: string
  /** The content type of the main part; '' when the file does not declare it. */
  readonly mainType: string
  has(part: string): boolean
  /** Returns the XML of a part; null when it is missing. */
  text(part: string): string | null
  /** Returns the relationships of a part to parts of the file. */
  relationships(part: string): readonly Relationship[]
}

/**
 * Opens an Office Open XML file.
 *
 * @param usualMain the names of the main part, for files without relationships
 * @param maxPartBytes the most bytes of one unpacked part
 * @throws Error when the bytes are no such file
 */
export function openPackage(
  bytes: Uint8Array,
  usualMain: readonly string[],
  maxPartBytes: number = readingLimits.unpackedBytes,
): OfficePackage {
  const files = new Map(
    Array.from(openZip(bytes, maxPartBytes).values(), file => [resolvePartName(file.name), file] as const),
  )
  const text = (part: string): string | null => {
    const file = files.get(resolvePartName(part))
    return file === undefined ? null : decodeXmlBytes(file.bytes())
  }
  const relationships = (part: string): Relationship[] => {
    const slash = part.lastIndexOf('/') + 1
    const xml = text(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`)
    if (xml === null) return []
    return listElements(parseXml(xml), 'Relationship')
      .filter(({ attributes }) => attributes.TargetMode !== 'External')
      .map(({ attributes: { Id = '', Type = '', Target = '' } }) => ({
        id: Id,
        kind: Type.slice(Type.lastIndexOf('/') + 1),
        target: resolveTarget(part, Target),
      }))
  }
  const main =
    relationships('').find(({ kind, target }) => kind === 'officeDocument' && files.has(target))?.target ??
    usualMain.map(resolvePartName).find(name => files.has(name))
  if (main === undefined) throw new Error(`it has no ${usualMain[0]}`)
  const types = listElements(parseXml(text('[Content_Types].xml') ?? ''))
  const declared = types.find(({ attributes }) => resolvePartName(attributes.PartName ?? '') === main)
  return {
    main,
    mainType: declared?.attributes.ContentType ?? '',
    has: part => files.has(resolvePartName(part)),
    text,
    relationships,
  }
}

/**
 * Says how many things of a kind are not read; nothing when there are none.
 *
 * @param place where they are, with its colon; '' for the whole document
 */
export function describeUnread(place: string, count: number, singular: string, plural: string): string[] {
  if (count === 0) return []
  return [`${place}${count} ${count === 1 ? `${singular} is` : `${plural} are`} not read`]
}

/** Some programs write backslashes, a leading slash or another case. */
function resolvePartName(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()
}

/** Returns the name of the part that a relationship refers to, which may be relative to the part's folder. */
function resolveTarget(part: string, target: string): string {
  const { pathname } = new URL(encodeURI(target.replaceAll('\\', '/')), `http://package/${encodeURI(part)}`)
  try {
    return resolvePartName(decodeURIComponent(decodeURIComponent(pathname)))
  } catch (error) {
    if (error instanceof URIError) return resolvePartName(pathname)
    throw error
  }
}

/** XML parts are UTF-8 or UTF-16 with a byte order mark. */
function decodeXmlBytes(bytes: Uint8Array): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  return new TextDecoder(!isUtf16 ? 'utf-8' : bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes)
}
