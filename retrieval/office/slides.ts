import { readHtmlText } from '../html/html-text.ts'
import {
  countIn,
  orderSlides,
  type PartedText,
  type Slide,
  type SpanningCell,
  showsText,
  writeLook,
  writeTable,
} from './markup.ts'
import { describeUnread, type OfficePackage, openPackage } from './office-package.ts'
import { writeEquation } from './word-math.ts'
import { escapeXml, findElement, listElements, parseXml, walkElements, type XmlNode } from './xml-tree.ts'

/**
 * Reads a PowerPoint presentation (ECMA-376): titles, text, tables and diagrams of each slide in order, and the speaker's notes.
 * Each slide is a part, hidden ones last.
 *
 * @throws Error when the file is damaged
 * @throws TooLargeError when it exceeds one of `readingLimits`
 */
export function readSlides(bytes: Uint8Array): PartedText {
  const file = openPackage(bytes, ['ppt/presentation.xml'])
  const links = file.relationships(file.main)
  const presentation = parseXml(file.text(file.main) ?? '')
  const slides: Slide[] = []
  const notices: string[] = []
  const listed = listElements(findElement(presentation, 'p:sldIdLst'), 'p:sldId')
  for (const [at, { attributes }] of listed.entries()) {
    const link = links.find(({ id }) => id === attributes['r:id'])
    const xml = link === undefined ? null : file.text(link.target)
    if (xml === null) throw new Error(`it has no slide ${at + 1}`)
    const slide = parseXml(xml)
    const isHidden = /^(?:0|false)$/.test(slide.attributes.show ?? '')
    slides.push({ text: readSlide(slide, link!.target, file), isHidden })
    const drawn = [...walkElements(slide, 'c:chart', 'p:oleObj')].length
    notices.push(
      ...describeUnread(
        `slide ${at + 1}: `,
        drawn,
        'chart or embedded object',
        'charts and embedded objects',
      ),
    )
  }
  return orderSlides(slides, notices)
}

function readSlide(slide: XmlNode, part: string, file: OfficePackage): string {
  const linked = (kind: string): string[] =>
    file
      .relationships(part)
      .filter(link => link.kind === kind)
      .flatMap(({ target }) => file.text(target) ?? [])
  const main = writeShapes(findElement(findElement(slide, 'p:cSld'), 'p:spTree'))
  const diagrams = linked('diagramData').map(xml => writeParagraphs(parseXml(xml)))
  const notes = linked('notesSlide').map(xml =>
    [...walkElements(parseXml(xml), 'p:sp')]
      .filter(shape => findPlaceholder(shape) === 'body')
      .map(writeParagraphs)
      .join(''),
  )
  const spoken = notes.filter(showsText).map(html => `<p>Notes:</p>${html}`)
  return readHtmlText([main, ...diagrams, ...spoken].join(''))
}

function findPlaceholder(shape: XmlNode): string | null {
  const [mark] = walkElements(findElement(shape, 'p:nvSpPr') ?? shape, 'p:ph')
  return mark === undefined ? null : (mark.attributes.type ?? 'body')
}

/** Placeholders that repeat on every slide. */
const repeated = new Set(['sldNum', 'dt', 'ftr', 'hdr'])

function writeShapes(tree: XmlNode | null): string {
  return listElements(tree).map(writeShape).join('')
}

function writeShape(node: XmlNode): string {
  if (node.name === 'p:grpSp') return writeShapes(node)
  if (node.name === 'mc:AlternateContent')
    return writeShapes(findElement(node, 'mc:Choice') ?? findElement(node, 'mc:Fallback'))
  if (node.name === 'p:graphicFrame') {
    const [table] = walkElements(node, 'a:tbl')
    return table === undefined ? '' : writeTable(listElements(table, 'a:tr').map(readRow))
  }
  if (node.name !== 'p:sp') return ''
  const kind = findPlaceholder(node)
  if (kind !== null && repeated.has(kind)) return ''
  const body = findElement(node, 'p:txBody')
  if (body === null) return ''
  const isTitle = kind === 'title' || kind === 'ctrTitle'
  if (isTitle) return `<h2>${listElements(body, 'a:p').map(writeRuns).join(' ')}</h2>`
  return writeParagraphs(body)
}

function writeParagraphs(node: XmlNode): string {
  return [...walkElements(node, 'a:p')].map(paragraph => `<p>${writeRuns(paragraph)}</p>`).join('')
}

function readRow(row: XmlNode): SpanningCell[] {
  return listElements(row, 'a:tc').flatMap(cell => {
    if (isSet(cell.attributes.hMerge) || isSet(cell.attributes.vMerge)) return []
    return [
      { html: writeParagraphs(cell), columns: countIn(cell, 'gridSpan'), rows: countIn(cell, 'rowSpan') },
    ]
  })
}

const isSet = (setting: string | undefined): boolean => setting === '1' || setting === 'true'

function writeRuns(paragraph: XmlNode): string {
  return listElements(paragraph)
    .map(node => {
      if (node.name === 'a:br') return '<br>'
      if (node.name === 'a:r' || node.name === 'a:fld') return writeRun(node)
      const [equation] = node.name === 'm:oMath' ? [node] : walkElements(node, 'm:oMath')
      return equation === undefined ? '' : escapeXml(writeEquation(equation))
    })
    .join('')
}

function writeRun(run: XmlNode): string {
  const { attributes = {} } = findElement(run, 'a:rPr') ?? {}
  const text = (findElement(run, 'a:t')?.children ?? []).filter(child => typeof child === 'string').join('')
  const baseline = Number.parseFloat(attributes.baseline ?? '0')
  const struck = attributes.strike !== undefined && attributes.strike !== 'noStrike'
  return writeLook(escapeXml(text), { raised: baseline > 0, lowered: baseline < 0, struck })
}
