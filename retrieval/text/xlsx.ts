import { readingLimits, tooLargeError } from '../../src/system/reading-limits.ts'
import { oneLine } from '../../src/text/plain-text.ts'
import type { PartedText } from '../office/markup.ts'
import { type DayZero, exactNumber, type NumberFormat, numberFormat, showNumber } from './number-format.ts'
import { describeUnread, type OfficePackage, openPackage, type Relationship } from './office-package.ts'
import { elementsBelow, elementsIn, firstIn, parseXml, walkXml, type XmlHandler } from './xml-tree.ts'

/** Cells of a sheet without a value that can be read. */
export interface CellFault {
  /** What the cells contain, such as `the error value #REF!`. */
  readonly what: string
  /** The first cells, such as `C3`. */
  readonly cells: readonly string[]
  readonly count: number
}

/** A sheet with its rows that are not empty. Cells are texts as a person reads them, in their columns. */
export interface Sheet {
  readonly name: string
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[]
  readonly faults: readonly CellFault[]
}

/** The visible sheets of a workbook, and what was not read of it. */
export interface Workbook {
  readonly sheets: readonly Sheet[]
  /** With the sheet and cells of each. */
  readonly notices: readonly string[]
}

/** Returns a sheet as text: its name, and one line per row, with cells separated by tabs. */
function sheetText({ name, rows }: Sheet): string {
  return [`# ${name}`, ...rows.map(({ cells }) => cells.join('\t'))].join('\n')
}

/** Returns a workbook as text with a part for each sheet; without parts when no sheet has cells. */
export function workbookText({ sheets, notices }: Workbook): PartedText {
  return { parts: sheets.some(({ rows }) => rows.length > 0) ? sheets.map(sheetText) : [], notices }
}

/**
 * Returns the visible sheets of an Excel workbook in order, as `readWorkbookParts` does, but with all digits of numbers
 * that their formats round.
 */
export function readWorkbook(bytes: Uint8Array): readonly Sheet[] {
  return readWorkbookParts(bytes, exactNumber).sheets
}

/**
 * Reads the visible sheets of an Excel workbook in order. Its parts are found by their relationships.
 *
 * @param writeNumber writes a number by the format of its cell
 * @throws Error when the file is damaged
 * @throws TooLargeError
 */
export function readWorkbookParts(bytes: Uint8Array, writeNumber = showNumber): Workbook {
  const file = openPackage(bytes, ['xl/workbook.xml'])
  const links = file.relationships(file.main)
  const linked = (kind: string, usual: string): string =>
    file.text(links.find(link => link.kind === kind)?.target ?? `xl/${usual}`) ?? ''
  const workbook = parseXml(requirePart(file, file.main))
  const context: WorkbookContext = {
    shared: readSharedTexts(linked('sharedStrings', 'sharedStrings.xml')),
    formats: readFormats(linked('styles', 'styles.xml')),
    dayZero: isTrue(firstIn(workbook, 'workbookPr')?.attributes.date1904) ? 1904 : 1900,
    writeNumber,
    size: { cells: 0, chars: 0 },
  }
  const sheets: Sheet[] = []
  const notices: string[] = []
  for (const { attributes } of elementsIn(firstIn(workbook, 'sheets'), 'sheet')) {
    if (attributes.state === 'hidden' || attributes.state === 'veryHidden') continue
    const name = attributes.name ?? ''
    const link = links.find(({ id }) => id === attributes[relationshipName(attributes)])
    if (link === undefined) throw new Error(`the workbook has no part for sheet '${name}'`)
    if (link.kind === 'chartsheet') notices.push(`sheet '${name}' is a chart, which is not read`)
    if (/^(?:chart|dialog)sheet$/.test(link.kind)) continue
    const sheet = readSheet(requirePart(file, link.target), name, context)
    sheets.push(sheet)
    notices.push(...sheet.faults.map(fault => describeFault(name, fault)))
    notices.push(...describeDrawings(name, file, link))
  }
  return { sheets, notices }
}

/** Returns the attribute with the relationship of a sheet. Files may use any namespace prefix for it. */
function relationshipName(attributes: Readonly<Record<string, string>>): string {
  return Object.keys(attributes).find(name => /^(?:\w+:)?id$/.test(name)) ?? ''
}

function isTrue(setting: string | undefined): boolean {
  return setting === '1' || setting === 'true' || setting === 'on'
}

function requirePart(file: OfficePackage, part: string): string {
  const xml = file.text(part)
  if (xml === null) throw new Error(`the workbook has no ${part}`)
  return xml
}

/** Says which cells have no value. */
export function describeFault(sheet: string, { what, cells, count }: CellFault): string {
  const more = count > cells.length ? ` and ${count - cells.length} more` : ''
  return `sheet '${sheet}', cell${count === 1 ? '' : 's'} ${cells.join(', ')}${more}: ${what}`
}

const drawnThings = [
  ['xdr:pic', 'picture', 'pictures'],
  ['xdr:graphicFrame', 'chart', 'charts'],
  ['xdr:sp', 'text box or shape', 'text boxes and shapes'],
] as const

function describeDrawings(sheet: string, file: OfficePackage, { target }: Relationship): string[] {
  return file
    .relationships(target)
    .filter(({ kind }) => kind === 'drawing')
    .flatMap(drawing => {
      const root = parseXml(file.text(drawing.target) ?? '')
      return drawnThings.flatMap(([element, singular, plural]) =>
        describeUnread(`sheet '${sheet}': `, [...elementsBelow(root, element)].length, singular, plural),
      )
    })
}

/** Excel's own escapes of control characters, such as `_x000D_`. */
function withoutEscapes(text: string): string {
  return text.replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Returns the texts that cells refer to, without the phonetic readings (rPh) of Japanese. */
function readSharedTexts(xml: string): string[] {
  const texts: string[] = []
  let text = ''
  let isText = false
  let readings = 0
  walkXml(xml, {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') readings++
      else if (name === 't') isText = readings === 0
    },
    text(part) {
      if (isText) text += part
    },
    close(name) {
      if (name === 'si') texts.push(oneLine(withoutEscapes(text)))
      else if (name === 'rPh') readings--
      else if (name === 't') isText = false
    },
  })
  return texts
}

/** What is known before a sheet is read, and what has been read of the workbook so far. One text may be shared by many cells. */
interface WorkbookContext {
  readonly shared: readonly string[]
  /** The number formats by the index of the cell style. */
  readonly formats: readonly NumberFormat[]
  readonly dayZero: DayZero
  readonly writeNumber: typeof showNumber
  readonly size: { cells: number; chars: number }
}

/** The XML of a cell. */
interface RawCell {
  readonly attributes: Readonly<Record<string, string>>
  value: string
  inline: string
  hasFormula: boolean
}

function readSheet(xml: string, name: string, context: WorkbookContext): Sheet {
  const { size } = context
  const rows: { number: number; cells: string[] }[] = []
  const faults: SheetFaults = new Map()
  let number = 0
  let cells: string[] = []
  const place = (): string => `sheet '${name}', row ${number}`
  const handler = sheetHandler({
    row(given) {
      // A row without a number follows the previous row.
      number = given ?? number + 1
      cells = []
    },
    cell(cell) {
      const column = columnOf(cell.attributes.r) ?? cells.length
      if (column >= readingLimits.columns) throw tooLargeError(readingLimits.columns, 'columns', place())
      while (cells.length < column) cells.push('')
      cells[column] = cellText(cell, context)
      size.chars += cells[column].length
      if (size.chars > readingLimits.textChars)
        throw tooLargeError(readingLimits.textChars, 'characters of text', place())
      const what = faultOf(cell, context)
      if (what !== null) addFault(faults, what, number - 1, column)
    },
    endRow() {
      size.cells += cells.length
      if (size.cells > readingLimits.cells) throw tooLargeError(readingLimits.cells, 'cells', place())
      while (cells.length > 0 && cells.at(-1)!.trim() === '') cells.pop()
      if (cells.length > 0) rows.push({ number, cells })
    },
  })
  walkXml(xml, handler)
  return { name, rows, faults: [...faults.values()] }
}

interface SheetEvents {
  row(number: number | null): void
  cell(cell: RawCell): void
  endRow(): void
}

function sheetHandler(events: SheetEvents): XmlHandler {
  let cell: RawCell | null = null
  let target: 'value' | 'inline' | null = null
  let readings = 0
  return {
    open(name, attributes) {
      if (name === 'row') events.row(attributes.r === undefined ? null : Number(attributes.r))
      else if (name === 'c') cell = { attributes, value: '', inline: '', hasFormula: false }
      else if (cell === null) return
      else if (name === 'f') cell.hasFormula = true
      else if (name === 'rPh') readings++
      else if (name === 'v') target = 'value'
      else if (name === 't' && readings === 0) target = 'inline'
    },
    text(part) {
      if (cell !== null && target !== null) cell[target] += part
    },
    close(name) {
      if (name === 'row') events.endRow()
      else if (name === 'v' || name === 't') target = null
      else if (name === 'rPh') readings--
      else if (name === 'c' && cell !== null) {
        events.cell(cell)
        cell = null
      }
    },
  }
}

/** The faults of a sheet while it is read, by what the cells contain. */
export type SheetFaults = Map<string, { what: string; cells: string[]; count: number }>

/** Cells of one fault that are named. */
const mostNamedCells = 5

/** Adds a cell to the faults of its sheet. Row and column are 0-based. */
export function addFault(faults: SheetFaults, what: string, row: number, column: number): void {
  const cell = `${columnName(column)}${row + 1}`
  const fault = faults.get(what) ?? { what, cells: [], count: 0 }
  faults.set(what, fault)
  fault.count++
  if (fault.cells.length < mostNamedCells) fault.cells.push(cell)
}

/** Says why a cell has no value that can be read; null when it has one or is empty. */
function faultOf({ attributes: { t: type }, value, hasFormula }: RawCell, { shared }: WorkbookContext) {
  if (type === 'e') return `the error value ${oneLine(value)}`
  if (type === 's' && shared[Number(value)] === undefined) return 'a text that the workbook lacks'
  return hasFormula && value === '' && type !== 'str' ? 'a formula without a stored value' : null
}

function cellText(
  { attributes: { t: type = 'n', s: style }, value, inline }: RawCell,
  { shared, formats, dayZero, writeNumber }: WorkbookContext,
): string {
  if (type === 'inlineStr') return oneLine(withoutEscapes(inline))
  if (type === 's') return shared[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n' || value.trim() === '') return oneLine(withoutEscapes(value))
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  return writeNumber(number, formats[Number(style ?? 0)] ?? { kind: 'plain' }, dayZero)
}

/** Returns the 0-based column of a reference such as `AB12`; null when it has none. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]+/i.exec(reference ?? '')?.[0]
  if (letters === undefined) return null
  return [...letters.toUpperCase()].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Returns the letters of a 0-based column. */
function columnName(column: number): string {
  const rest = Math.floor(column / 26)
  return `${rest === 0 ? '' : columnName(rest - 1)}${String.fromCharCode(65 + (column % 26))}`
}

/** Returns the number formats of the cell styles by index. */
function readFormats(xml: string): NumberFormat[] {
  const styles = parseXml(xml)
  const custom = new Map(
    elementsIn(firstIn(styles, 'numFmts'), 'numFmt').map(({ attributes }) => [
      Number(attributes.numFmtId),
      attributes.formatCode ?? '',
    ]),
  )
  return elementsIn(firstIn(styles, 'cellXfs'), 'xf').map(({ attributes }) =>
    numberFormat(Number(attributes.numFmtId ?? 0), custom),
  )
}
