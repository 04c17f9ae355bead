import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { writeZip } from '../../src/system/zip-writer.ts'
import { formatShortList } from '../../src/text/plain-text.ts'
import { readHtmlText } from '../html/html-text.ts'
import { type OfficePackage, openPackage, type Relationship } from './office-package.ts'
import {
  makeTextParagraph,
  type RewriteContext,
  readStyleLooks,
  readText,
  rewriteBlocks,
  type SkippedThings,
} from './word-xml.ts'
import { findElement, listElements, parseXml, walkElements, writeXml, type XmlNode } from './xml-tree.ts'

/** The text of a Word document, and what was not read of it. */
export interface WordText {
  readonly text: string
  readonly notices: readonly string[]
}

/**
 * Reads a Word document: its body with text boxes and equations, then its notes; page headers before, footers after.
 * Its tables are those of the HTML reader.
 *
 * mammoth reads only part of this. The parts are therefore rewritten to a document of plain paragraphs and tables first.
 *
 * @throws Error when the file is damaged
 * @throws TooLargeError when it exceeds one of `readingLimits`
 */
export async function readWord(bytes: Uint8Array): Promise<WordText> {
  const file = openPackage(bytes, ['word/document.xml'])
  const parse = limitParser(file)
  const links = file.relationships(file.main)
  const linked = (kind: string): string | null => links.find(link => link.kind === kind)?.target ?? null
  const document = parse(file.main)
  const body = findElement(document, 'w:body')
  if (document === null || body === null) throw new Error('it has no text')
  const styles = parse(linked('styles'))
  const context: RewriteContext = { looks: readStyleLooks(styles), skipped: new Map() }
  const settings = parse(linked('settings'))
  const margins = readMargins(body, links, settings)
  rewriteBlocks(body, context)
  const rewriteParts = (parts: readonly string[], label: string): XmlNode[] =>
    listDistinctBlocks(
      parts.flatMap(part => parse(part) ?? []),
      context,
      label,
    )
  body.children.unshift(...rewriteParts(margins.headers, 'Page header:'))
  body.children.push(...rewriteParts(margins.footers, 'Page footer:'))
  const notes = ['footnotes', 'endnotes'].flatMap(kind => {
    const root = parse(linked(kind))
    if (root === null) return []
    for (const note of listElements(root)) rewriteBlocks(note, context)
    return [[kind, root] as const]
  })
  const numbering = parse(linked('numbering'))
  const parts = [
    ...notes,
    ...(styles === null ? [] : [['styles', styles] as const]),
    ...(numbering === null ? [] : [['numbering', numbering] as const]),
  ]
  const { default: mammoth } = await import('mammoth')
  const { value } = await mammoth.convertToHtml({ buffer: packParts(document, parts) })
  // Tables of Word contain data; those of pages often lay out the page.
  const html = value.replaceAll('<table>', '<table role="table">')
  return { text: readHtmlText(html), notices: describeSkipped(context.skipped) }
}

/** Returns a parser of parts that checks their common size. */
function limitParser(file: OfficePackage): (part: string | null) => XmlNode | null {
  let unpacked = 0
  return part => {
    const xml = part === null ? null : file.text(part)
    if (xml === null) return null
    unpacked += xml.length
    checkLimit(unpacked, readingLimits.unpackedBytes, 'bytes when unpacked')
    return parseXml(xml)
  }
}

/** Returns the parts of the page headers and footers that Word shows, each once. */
function readMargins(
  body: XmlNode,
  links: readonly Relationship[],
  settings: XmlNode | null,
): { readonly headers: readonly string[]; readonly footers: readonly string[] } {
  const hasEven = findElement(settings, 'w:evenAndOddHeaders') !== null
  const parts = { headers: new Set<string>(), footers: new Set<string>() }
  for (const section of walkElements(body, 'w:sectPr')) {
    for (const reference of listElements(section)) {
      const kind = /^w:(header|footer)Reference$/.exec(reference.name)?.[1]
      if (kind === undefined) continue
      const type = reference.attributes['w:type']
      if (type === 'first' && findElement(section, 'w:titlePg') === null) continue
      if (type === 'even' && !hasEven) continue
      const part = links.find(({ id }) => id === reference.attributes['r:id'])?.target
      if (part !== undefined) parts[kind === 'header' ? 'headers' : 'footers'].add(part)
    }
  }
  return { headers: [...parts.headers], footers: [...parts.footers] }
}

/** Returns the blocks of headers or footers under a label. Those with equal text are one. */
function listDistinctBlocks(parts: readonly XmlNode[], context: RewriteContext, label: string): XmlNode[] {
  const texts = new Set<string>()
  const blocks: XmlNode[] = []
  for (const part of parts) {
    rewriteBlocks(part, context)
    const text = readText(part).trim()
    if (text === '' || texts.has(text)) continue
    texts.add(text)
    blocks.push(...listElements(part))
  }
  return blocks.length === 0 ? [] : [makeTextParagraph(label), ...blocks]
}

const officeTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageTypes = 'http://schemas.openxmlformats.org/package/2006'

/** Returns a Word document with nothing but the given parts. */
function packParts(document: XmlNode, parts: readonly (readonly [string, XmlNode])[]): Buffer {
  const relationships = (targets: readonly (readonly [string, string])[]): string =>
    `<Relationships xmlns="${packageTypes}/relationships">${targets
      .map(
        ([kind, target], at) =>
          `<Relationship Id="r${at}" Type="${officeTypes}/${kind}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`
  return writeZip({
    '[Content_Types].xml': `<Types xmlns="${packageTypes}/content-types"/>`,
    '_rels/.rels': relationships([['officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relationships(parts.map(([kind]) => [kind, `${kind}.xml`] as const)),
    'word/document.xml': writeXml(document),
    ...Object.fromEntries(parts.map(([kind, root]) => [`word/${kind}.xml`, writeXml(root)])),
  })
}

/** Places of one kind that are named. */
const mostNamed = 3
/** Characters of the text before a place. */
const placeChars = 40

/** Says what is not text, each with the text before it. */
function describeSkipped(skipped: SkippedThings): string[] {
  return Array.from(skipped, ([what, places]) => {
    const nameOf = (text: string): string =>
      text === '' ? 'at the beginning' : `after "${text.slice(-placeChars).trim()}"`
    const count = places.length === 1 ? `a ${what} is` : `${places.length} ${what}s are`
    return `${count.replace(/^a (?=[aeiou])/, 'an ')} not read: ${formatShortList(places, nameOf, mostNamed)}`
  })
}
