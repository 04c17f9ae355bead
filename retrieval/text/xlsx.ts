import { openZip, type ZipFile } from '../../src/system/zip.ts'
import { oneLine } from '../../src/text/plain-text.ts'
import { type DayZero, type NumberFormat, numberFormat, showNumber } from './number-format.ts'
import { decodeXml, type XmlElement, xmlElements } from './xml-elements.ts'

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
  const zip = openZip(bytes)
  const workbook = part(zip, 'xl/workbook.xml')
  const shared = xmlElements(zip.get('xl/sharedStrings.xml')?.text() ?? '', 'si').map(item =>
    richText(item.inner),
  )
  const numbers: NumberStyles = {
    formats: readFormats(zip.get('xl/styles.xml')?.text() ?? ''),
    dayZero: countsFrom1904(workbook) ? 1904 : 1900,
  }
  const targets = new Map(
    xmlElements(part(zip, 'xl/_rels/workbook.xml.rels'), 'Relationship').map(link => [
      link.attributes.get('Id') ?? '',
      link.attributes.get('Target') ?? '',
    ]),
  )
  return xmlElements(workbook, 'sheet')
    .filter(sheet => !['hidden', 'veryHidden'].includes(sheet.attributes.get('state') ?? ''))
    .map(sheet => {
      const target = targets.get(linkOf(sheet)) ?? ''
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
      return {
        name: sheet.attributes.get('name') ?? '',
        rows: rowsOf(part(zip, path), shared, numbers),
      }
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
  const setting = xmlElements(workbook, 'workbookPr')[0]?.attributes.get('date1904')
  return setting === '1' || setting === 'true'
}

function part(zip: ReadonlyMap<string, ZipFile>, path: string): string {
  const file = zip.get(path)
  if (file === undefined) throw new Error(`the workbook has no ${path}`)
  return file.text()
}

/** Joins text runs, without the phonetic readings (rPh) of Japanese. */
function richText(xml: string): string {
  const plain = xml.replace(/<(?:\w+:)?rPh\b[\s\S]*?<\/(?:\w+:)?rPh>/g, '')
  return xmlElements(plain, 't')
    .map(run => plainText(run.inner))
    .join('')
}

/** Resolves CDATA sections, entities and Excel's own escapes of control characters, such as `_x000D_`. */
function plainText(xml: string): string {
  const parts = xml.split(/<!\[CDATA\[([\s\S]*?)\]\]>/)
  const text = parts.map((part, at) => (at % 2 === 1 ? part : decodeXml(part))).join('')
  return text.replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function rowsOf(xml: string, shared: readonly string[], numbers: NumberStyles): Sheet['rows'] {
  let number = 0
  return xmlElements(xml, 'row')
    .map(row => {
      // A row without a number follows the previous row.
      number = Number(row.attributes.get('r') ?? number + 1)
      const cells: string[] = []
      for (const cell of xmlElements(row.inner, 'c')) {
        const column = columnOf(cell.attributes.get('r')) ?? cells.length
        while (cells.length < column) cells.push('')
        cells[column] = cellText(cell, shared, numbers)
      }
      while (cells.length > 0 && cells.at(-1)!.trim() === '') cells.pop()
      return { number, cells }
    })
    .filter(({ cells }) => cells.length > 0)
}

function cellText(cell: XmlElement, shared: readonly string[], numbers: NumberStyles): string {
  const value = plainText(xmlElements(cell.inner, 'v')[0]?.inner ?? '')
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
    xmlElements(xml, 'numFmt').map(({ attributes }) => [
      Number(attributes.get('numFmtId')),
      attributes.get('formatCode') ?? '',
    ]),
  )
  const styles = /<(?:\w+:)?cellXfs[\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(xml)?.[0] ?? ''
  return xmlElements(styles, 'xf').map(style =>
    numberFormat(Number(style.attributes.get('numFmtId') ?? 0), custom),
  )
}
