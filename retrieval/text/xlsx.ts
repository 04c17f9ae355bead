import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { openZip, type ZipFile } from '../../src/system/zip.ts'
import { oneLine } from '../../src/text/plain-text.ts'
import { type DayZero, type NumberFormat, numberFormat, showNumber } from './number-format.ts'
import { decodeXml, firstXmlElement, type XmlElement, xmlElements } from './xml-elements.ts'

/** A sheet with its rows that are not empty. Cells are texts as a person reads them, in their columns. */
export interface Sheet {
  readonly name: string
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[]
}

/** Returns a sheet as text: one line per row, with cells separated by tabs. */
export function sheetText({ rows }: Sheet): string {
  return rows.map(({ cells }) => cells.join('\t')).join('\n')
}

/**
 * Returns the visible sheets of an Excel workbook in order.
 *
 * @throws Error when the file is damaged
 */
export function readWorkbook(bytes: Uint8Array): Sheet[] {
  const zip = openZip(bytes, readingLimits.unpackedBytes)
  const workbook = part(zip, 'xl/workbook.xml')
  const shared = Array.from(xmlElements(zip.get('xl/sharedStrings.xml')?.text() ?? '', 'si'), item =>
    richText(item.inner),
  )
  const size: WorkbookSize = { cells: 0, chars: 0 }
  const numbers: NumberStyles = {
    formats: readFormats(zip.get('xl/styles.xml')?.text() ?? ''),
    dayZero: countsFrom1904(workbook) ? 1904 : 1900,
  }
  const targets = new Map(
    Array.from(xmlElements(part(zip, 'xl/_rels/workbook.xml.rels'), 'Relationship'), ({ attributes }) => [
      attributes.get('Id') ?? '',
      attributes.get('Target') ?? '',
    ]),
  )
  return [...xmlElements(workbook, 'sheet')]
    .filter(sheet => !['hidden', 'veryHidden'].includes(sheet.attributes.get('state') ?? ''))
    .map(sheet => {
      const target = targets.get(linkOf(sheet)) ?? ''
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
      const name = sheet.attributes.get('name') ?? ''
      return { name, rows: rowsOf(part(zip, path), { name, shared, numbers, size }) }
    })
}

/** Returns the relationship id of a sheet. Files may use any namespace prefix for it. */
function linkOf(sheet: XmlElement): string {
  const names = [...sheet.attributes.keys()]
  return sheet.attributes.get(names.find(name => /^(?:\w+:)?id$/.test(name)) ?? '') ?? ''
}

/** The number formats of a workbook. */
interface NumberStyles {
  /** By the index of the cell style. */
  readonly formats: readonly NumberFormat[]
  readonly dayZero: DayZero
}

function countsFrom1904(workbook: string): boolean {
  const setting = firstXmlElement(workbook, 'workbookPr')?.attributes.get('date1904')
  return setting === '1' || setting === 'true'
}

function part(zip: ReadonlyMap<string, ZipFile>, path: string): string {
  const file = zip.get(path)
  if (file === undefined) throw new Error(`the workbook has no ${path}`)
  return file.text()
}

/** Joins text runs, without the phonetic readings (rPh) of Japanese. */
function richText(xml: string): string {
  let plain = xml
  if (xml.includes('rPh')) {
    // Readings are short and few. Each is removed where it is written.
    const readings = new Set(Array.from(xmlElements(xml, 'rPh'), reading => reading.inner))
    for (const reading of readings) if (reading !== '') plain = plain.replaceAll(reading, '')
  }
  return Array.from(xmlElements(plain, 't'), run => plainText(run.inner)).join('')
}

/** Resolves CDATA sections, entities and Excel's own escapes of control characters, such as `_x000D_`. */
function plainText(xml: string): string {
  const [first = '', ...sections] = xml.split('<![CDATA[')
  let text = decodeXml(first)
  for (const section of sections) {
    const end = section.indexOf(']]>')
    text +=
      end < 0 ? decodeXml(`<![CDATA[${section}`) : section.slice(0, end) + decodeXml(section.slice(end + 3))
  }
  return text.replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** What has been read of a workbook so far. One text may be shared by many cells. */
interface WorkbookSize {
  cells: number
  chars: number
}

interface SheetContext {
  readonly name: string
  readonly shared: readonly string[]
  readonly numbers: NumberStyles
  readonly size: WorkbookSize
}

function rowsOf(xml: string, { name, shared, numbers, size }: SheetContext): Sheet['rows'] {
  const rows: { number: number; cells: string[] }[] = []
  let number = 0
  for (const row of xmlElements(xml, 'row')) {
    // A row without a number follows the previous row.
    number = Number(row.attributes.get('r') ?? number + 1)
    const place = `sheet '${name}', row ${number}`
    const cells: string[] = []
    for (const cell of xmlElements(row.inner, 'c')) {
      const column = columnOf(cell.attributes.get('r')) ?? cells.length
      checkLimit(column + 1, readingLimits.columns, 'columns', place)
      while (cells.length < column) cells.push('')
      const text = cellText(cell, shared, numbers)
      cells[column] = text
      size.chars += text.length
      checkLimit(size.chars, readingLimits.textChars, 'characters of text', place)
    }
    size.cells += cells.length
    checkLimit(size.cells, readingLimits.cells, 'cells', place)
    while (cells.length > 0 && cells.at(-1)!.trim() === '') cells.pop()
    if (cells.length > 0) rows.push({ number, cells })
  }
  return rows
}

function cellText(cell: XmlElement, shared: readonly string[], numbers: NumberStyles): string {
  const value = plainText(firstXmlElement(cell.inner, 'v')?.inner ?? '')
  const type = cell.attributes.get('t') ?? 'n'
  if (type === 'inlineStr') return oneLine(richText(cell.inner))
  if (type === 's') return oneLine(shared[Number(value)] ?? '')
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n' || value === '') return oneLine(value)
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  const format = numbers.formats[Number(cell.attributes.get('s') ?? -1)] ?? { kind: 'plain' }
  return showNumber(number, format, numbers.dayZero)
}

/** Returns the 0-based column of a reference such as `AB12`; null when it has none. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]+/.exec(reference ?? '')?.[0]
  if (letters === undefined) return null
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Returns the number formats of the cell styles by index. */
function readFormats(xml: string): NumberFormat[] {
  const custom = new Map(
    Array.from(xmlElements(xml, 'numFmt'), ({ attributes }) => [
      Number(attributes.get('numFmtId')),
      attributes.get('formatCode') ?? '',
    ]),
  )
  const styles = firstXmlElement(xml, 'cellXfs')?.inner ?? ''
  return Array.from(xmlElements(styles, 'xf'), style =>
    numberFormat(Number(style.attributes.get('numFmtId') ?? 0), custom),
  )
}
