import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { readHtmlText } from '../html/html-text.ts'
import {
  type CharacterLook,
  countIn,
  orderSlides,
  type PartedText,
  type SpanningCell,
  showsText,
  writeLook,
  writeTable,
} from './markup.ts'
import { describeUnread, openPackage } from './office-package.ts'
import { listHiddenStyles, listRows, readSheets } from './open-sheets.ts'
import { writeWorkbook } from './sheet.ts'
import { escapeXml, findElement, listElements, parseXml, walkElements, type XmlNode } from './xml-tree.ts'

/** What of a style concerns the text. */
interface StyleLook extends CharacterLook {
  readonly hidden: boolean
}

interface OpenDocumentContext {
  readonly styles: ReadonlyMap<string, StyleLook>
  readonly notes: string[]
  cells: number
}

/**
 * Reads a text, a presentation or a workbook of OpenDocument (ISO/IEC 26300): paragraphs, headings, lists, tables, text boxes,
 * notes, and the page headers and footers of a text. Presentations have one part a slide, workbooks one a visible sheet.
 *
 * @throws Error when the file is damaged
 * @throws TooLargeError when it exceeds one of `readingLimits`
 */
export function readOpenDocument(bytes: Uint8Array): PartedText {
  const file = openPackage(bytes, ['content.xml'])
  const content = parseXml(file.text('content.xml') ?? '')
  const common = parseXml(file.text('styles.xml') ?? '')
  const body = findElement(content, 'office:body')
  if (body === null) throw new Error('it has no text')
  if (file.text('META-INF/manifest.xml')?.includes('encryption-data') === true)
    throw new Error('it is protected by a password')
  const context: OpenDocumentContext = { styles: readStyles([common, content]), notes: [], cells: 0 }
  const drawn = [...walkElements(body, 'draw:object', 'draw:object-ole')].length
  const notices = describeUnread(
    '',
    drawn,
    'formula, chart or embedded object',
    'formulas, charts and embedded objects',
  )
  const workbook = findElement(body, 'office:spreadsheet')
  if (workbook !== null) return writeWorkbook(readSheets(workbook, content, notices))
  const slides = [...walkElements(body, 'draw:page')]
  if (slides.length > 0) {
    const hidden = listHiddenStyles(
      content,
      'style:drawing-page-properties',
      'presentation:visibility',
      'hidden',
    )
    const isHidden = ({ attributes }: XmlNode): boolean => hidden.has(attributes['draw:style-name'])
    return orderSlides(
      slides.map(slide => ({ text: readPage(slide, context), isHidden: isHidden(slide) })),
      notices,
    )
  }
  const margin = (name: string, label: string): string =>
    listElements(findElement(common, 'office:master-styles'), 'style:master-page')
      .flatMap(page => listElements(page, name))
      .map(part => writeBlocks(part, context))
      .filter((html, at, parts) => showsText(html) && parts.indexOf(html) === at)
      .map(html => `<p>${label}</p>${html}`)
      .join('')
  const header = margin('style:header', 'Page header:')
  const main = writeBlocks(body, context)
  const html = `${header}${main}${margin('style:footer', 'Page footer:')}`
  return { parts: [readHtmlText(`${html}${writeNotes(context)}`)], notices }
}

function readPage(slide: XmlNode, context: OpenDocumentContext): string {
  context.notes.length = 0
  const html = writeBlocks(slide, context)
  const spoken = listElements(findElement(slide, 'presentation:notes'), 'draw:frame')
    .filter(({ attributes }) => (attributes['presentation:class'] ?? 'notes') === 'notes')
    .map(frame => writeBlocks(frame, context))
    .filter(showsText)
    .map(notes => `<p>Notes:</p>${notes}`)
  return readHtmlText(`${html}${spoken.join('')}${writeNotes(context)}`)
}

function writeNotes({ notes }: OpenDocumentContext): string {
  return notes.map((note, at) => `<div>[${at + 1}] ${note}</div>`).join('')
}

function readStyles(roots: readonly XmlNode[]): Map<string, StyleLook> {
  const styles = new Map<string, StyleLook>()
  for (const root of roots)
    for (const style of walkElements(root, 'style:style')) {
      const { attributes = {} } = findElement(style, 'style:text-properties') ?? {}
      const position = attributes['style:text-position'] ?? ''
      const strike = attributes['style:text-line-through-style'] ?? attributes['style:text-line-through-type']
      styles.set(style.attributes['style:name'] ?? '', {
        raised: /^super|^[1-9]/.test(position),
        lowered: /^(?:sub|-)/.test(position),
        struck: strike !== undefined && strike !== 'none',
        hidden: attributes['text:display'] === 'none',
      })
    }
  return styles
}

/** Elements whose text is no part of the document. */
const leftOut = new Set([
  'text:tracked-changes',
  'office:annotation',
  'office:forms',
  'text:sequence-decls',
  'text:variable-decls',
  'presentation:notes',
  'text:hidden-paragraph',
  'draw:object',
  'draw:object-ole',
])

function writeBlocks(node: XmlNode, context: OpenDocumentContext): string {
  return listElements(node)
    .map(child => writeBlock(child, context))
    .join('')
}

function writeBlock(node: XmlNode, context: OpenDocumentContext): string {
  if (leftOut.has(node.name) || node.attributes['text:display'] === 'none') return ''
  switch (node.name) {
    case 'text:h': {
      const level = Math.min(6, countIn(node, 'text:outline-level'))
      return `<h${level}>${writeRuns(node, context)}</h${level}>`
    }
    case 'text:p':
      return writeParagraph(node, context)
    case 'text:list':
      return `<ul>${writeBlocks(node, context)}</ul>`
    case 'text:list-item':
    case 'text:list-header':
      return `<li>${writeBlocks(node, context)}</li>`
    case 'table:table':
      return writeTable(readRows(node, context))
    default:
      return writeBlocks(node, context)
  }
}

/** Text boxes of a paragraph follow it as blocks of their own. */
function writeParagraph(node: XmlNode, context: OpenDocumentContext): string {
  const frames = [...walkElements(node, 'draw:text-box', 'draw:custom-shape')]
  const boxes = frames.map(frame => writeBlocks(frame, context)).join('')
  return `<p>${writeRuns(node, context)}</p>${boxes}`
}

function writeRuns(node: XmlNode, context: OpenDocumentContext): string {
  const html = node.children
    .map(child => (typeof child === 'string' ? escapeXml(child) : writeRun(child, context)))
    .join('')
  const look = context.styles.get(node.attributes['text:style-name'] ?? '')
  if (look === undefined || node.name === 'text:h') return html
  return look.hidden ? '' : writeLook(html, look)
}

function writeRun(node: XmlNode, context: OpenDocumentContext): string {
  if (leftOut.has(node.name)) return ''
  switch (node.name) {
    case 'text:s':
      return ' '.repeat(Math.min(countIn(node, 'text:c'), 1000))
    case 'text:tab':
      return '\t'
    case 'text:line-break':
      return '<br>'
    case 'text:note': {
      const body = findElement(node, 'text:note-body')
      context.notes.push(
        body === null
          ? ''
          : writeBlocks(body, context)
              .replace(/<\/?p>/g, ' ')
              .trim(),
      )
      return `<sup>${context.notes.length}</sup>`
    }
    case 'text:ruby':
      return writeRuns(findElement(node, 'text:ruby-base') ?? node, context)
    case 'draw:frame':
    case 'draw:custom-shape':
      return ''
    default:
      return writeRuns(node, context)
  }
}

function readRows(table: XmlNode, context: OpenDocumentContext): SpanningCell[][] {
  const rows: SpanningCell[][] = []
  for (const row of listRows(table)) {
    const cells = listElements(row, 'table:table-cell').flatMap(cell => {
      const spanning = {
        html: writeBlocks(cell, context),
        columns: countIn(cell, 'table:number-columns-spanned'),
        rows: countIn(cell, 'table:number-rows-spanned'),
      }
      return repeat(spanning, countIn(cell, 'table:number-columns-repeated'), context)
    })
    const times = countIn(row, 'table:number-rows-repeated')
    const isEmpty = cells.every(({ html }) => html === '')
    for (let time = 0; time < (isEmpty ? 1 : times); time += 1) {
      context.cells += cells.length
      checkLimit(context.cells, readingLimits.cells, 'cells')
      rows.push(cells)
    }
  }
  return rows
}

function repeat(cell: SpanningCell, times: number, context: OpenDocumentContext): SpanningCell[] {
  checkLimit(context.cells + times, readingLimits.cells, 'cells')
  return Array.from({ length: times }, () => cell)
}
