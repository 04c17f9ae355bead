import { readingLimits, tooLargeError } from '../../src/system/reading-limits.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'
import {
  type CellRun,
  type CellStyle,
  createRunReader,
  plainStyle,
  readCellComments,
  readCellStyles,
  readSharedTexts,
  type StruckReading,
  withoutEscapes,
  writeCell,
} from './cell-texts.ts'
import { type DayZero, exactNumber, isRounded, showNumber } from './number-format.ts'
import { describeUnread, type OfficePackage, openPackage, type Relationship } from './office-package.ts'
import {
  addFault,
  type CellComment,
  cellName,
  completeSheet,
  type MergedRange,
  readColumnIndex,
  readEachSheet,
  type Sheet,
  type SheetFaults,
  type UnreadSheet,
  type Workbook,
  type WorkbookSize,
  withoutEmptyEnd,
} from './sheet.ts'
import { elementsBelow, elementsIn, firstIn, parseXml, walkXml, type XmlHandler } from './xml-tree.ts'

/**
 * Returns the sheets of an Excel workbook as `readWorkbookParts` does, but with all digits of numbers that their formats
 * round, and without struck text. A cell with nothing but struck text is a fault.
 */
export function readWorkbook(bytes: Uint8Array): readonly Sheet[] {
  return readWorkbookParts(bytes, { writeNumber: exactNumber, struck: 'left-out' }).sheets
}

/**
 * Reads the sheets of an Excel workbook, those that it shows first. Its parts are found by their relationships.
 *
 * @throws Error when the file is damaged
 * @throws TooLargeError
 */
export function readWorkbookParts(bytes: Uint8Array, values: ValueReading = shownValues): Workbook {
  const file = openPackage(bytes, ['xl/workbook.xml'])
  const links = file.relationships(file.main)
  const linked = (kind: string, usual: string): string =>
    file.text(links.find(link => link.kind === kind)?.target ?? `xl/${usual}`) ?? ''
  const workbook = parseXml(requirePart(file, file.main))
  const context: WorkbookContext = {
    shared: readSharedTexts(linked('sharedStrings', 'sharedStrings.xml')),
    styles: readCellStyles(linked('styles', 'styles.xml')),
    dayZero: isTrue(firstIn(workbook, 'workbookPr')?.attributes.date1904) ? 1904 : 1900,
    ...values,
    size: { cells: 0, chars: 0 },
  }
  const notices: string[] = []
  const unread = elementsIn(firstIn(workbook, 'sheets'), 'sheet').flatMap(({ attributes }): UnreadSheet[] => {
    const name = attributes.name ?? ''
    const link = links.find(({ id }) => id === attributes[relationshipName(attributes)])
    if (link === undefined) throw new Error(`the workbook has no part for sheet '${name}'`)
    if (link.kind === 'chartsheet') notices.push(`sheet '${name}' is a chart, which is not read`)
    if (/^(?:chart|dialog)sheet$/.test(link.kind)) return []
    const isHidden = attributes.state === 'hidden' || attributes.state === 'veryHidden'
    const readThisSheet = (): Sheet => {
      const comments = readCellComments(file, link.target)
      return readSheet(requirePart(file, link.target), { name, comments }, context)
    }
    return [
      { name, isHidden, read: readThisSheet, describeDrawings: () => describeDrawings(name, file, link) },
    ]
  })
  const sheets = readEachSheet(unread)
  return { ...sheets, notices: [...notices, ...sheets.notices] }
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

interface ValueReading {
  /** Writes a number by the format of its cell. */
  readonly writeNumber: typeof showNumber
  readonly struck: StruckReading
}

const shownValues: ValueReading = { writeNumber: showNumber, struck: 'marked' }

/** What is known before a sheet is read, and what has been read of the workbook so far. One text may be shared by many cells. */
interface WorkbookContext extends ValueReading {
  readonly shared: readonly (readonly CellRun[])[]
  /** By the index of the cell style. */
  readonly styles: readonly CellStyle[]
  readonly dayZero: DayZero
  readonly size: WorkbookSize
}

/** The XML of a cell. */
interface RawCell {
  readonly attributes: Readonly<Record<string, string>>
  value: string
  inline: CellRun[]
  hasFormula: boolean
}

function readSheet(
  xml: string,
  { name, comments }: { readonly name: string; readonly comments: readonly CellComment[] },
  context: WorkbookContext,
): Sheet {
  const { size } = context
  const rows: { number: number; cells: string[] }[] = []
  const faults: SheetFaults = new Map()
  const rounded: SheetFaults = new Map()
  const merged: MergedRange[] = []
  const hidden = { rows: new Set<number>(), columns: new Set<number>(), cells: new Set<string>() }
  let number = 0
  let isHiddenRow = false
  let cells: string[] = []
  const place = (): string => `sheet '${name}', row ${number}`
  const handler = sheetHandler({
    columns({ min, max, width, hidden: isHidden }) {
      if (!isTrue(isHidden) && width !== '0') return
      for (let column = Number(min); column <= Math.min(Number(max), readingLimits.columns); column++)
        hidden.columns.add(column - 1)
    },
    row({ r, ht, hidden: isHidden }) {
      // A row without a number follows the previous row.
      number = r === undefined ? number + 1 : Number(r)
      isHiddenRow = isTrue(isHidden) || (ht !== undefined && Number(ht) === 0)
      cells = []
    },
    cell(cell) {
      const column = readColumnIndex(cell.attributes.r) ?? cells.length
      if (column >= readingLimits.columns) throw tooLargeError(readingLimits.columns, 'columns', place())
      while (cells.length < column) cells.push('')
      const { text, fault, isRounded: isShort, isHidden } = readCell(cell, context)
      cells[column] = text
      size.chars += text.length
      if (size.chars > readingLimits.textChars)
        throw tooLargeError(readingLimits.textChars, 'characters of text', place())
      if (fault !== null) addFault(faults, fault, number - 1, column)
      if (isShort) addFault(rounded, 'rounded, as its format shows it', number - 1, column)
      if (isHidden) hidden.cells.add(cellName(number - 1, column))
    },
    endRow() {
      size.cells += cells.length
      if (size.cells > readingLimits.cells) throw tooLargeError(readingLimits.cells, 'cells', place())
      cells = withoutEmptyEnd(cells)
      if (cells.length === 0) return
      rows.push({ number, cells })
      if (isHiddenRow) hidden.rows.add(number)
    },
    merged(reference) {
      const [, left, top, right, bottom] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/i.exec(reference) ?? []
      if (top === undefined) return
      merged.push({
        top: Number(top) - 1,
        left: readColumnIndex(left) ?? 0,
        bottom: Number(bottom) - 1,
        right: Math.min(readColumnIndex(right) ?? 0, readingLimits.columns - 1),
      })
    },
  })
  walkXml(xml, handler)
  return completeSheet(
    { name, rows, faults: new Map([...faults, ...rounded]), merged, hidden, comments },
    size,
  )
}

type XmlAttributes = Readonly<Record<string, string>>

interface SheetEvents {
  columns(attributes: XmlAttributes): void
  row(attributes: XmlAttributes): void
  cell(cell: RawCell): void
  endRow(): void
  merged(reference: string): void
}

function sheetHandler(events: SheetEvents): XmlHandler {
  let cell: RawCell | null = null
  let isValue = false
  const runs = createRunReader()
  return {
    open(name, attributes) {
      if (name === 'row') events.row(attributes)
      else if (name === 'c') cell = { attributes, value: '', inline: [], hasFormula: false }
      else if (name === 'col') events.columns(attributes)
      else if (name === 'mergeCell') events.merged(attributes.ref ?? '')
      else if (cell === null) return
      else if (name === 'f') cell.hasFormula = true
      else if (name === 'v') isValue = true
      else runs.open(name, attributes)
    },
    text(part) {
      if (cell === null) return
      if (isValue) cell.value += part
      else runs.text(part)
    },
    close(name) {
      if (name === 'row') events.endRow()
      else if (name === 'v') isValue = false
      else if (name === 'c' && cell !== null) {
        cell.inline = runs.take()
        events.cell(cell)
        cell = null
      } else if (cell !== null) runs.close(name)
    },
  }
}

/** Says why a cell has no value that can be read; null when it has one or is empty. */
function findFault({ attributes: { t: type }, value, hasFormula }: RawCell, { shared }: WorkbookContext) {
  if (type === 'e') return `the error value ${joinToOneLine(value)}`
  if (type === 's' && shared[Number(value)] === undefined) return 'a text that the workbook lacks'
  return hasFormula && value === '' && type !== 'str' ? 'a formula without a stored value' : null
}

interface ReadCell {
  readonly text: string
  /** Why the cell has no value. */
  readonly fault: string | null
  readonly isRounded: boolean
  /** Whether the format of the cell shows nothing of it. */
  readonly isHidden: boolean
}

function readCell(cell: RawCell, context: WorkbookContext): ReadCell {
  const { format, look, hides } = context.styles[Number(cell.attributes.s ?? 0)] ?? plainStyle
  const { runs, number } = cellContent(cell, context, format)
  const text = writeCell(runs, look, context.struck)
  const isStruck = text === '' && runs.some(run => run.text.trim() !== '')
  return {
    text,
    fault: findFault(cell, context) ?? (isStruck ? 'nothing but struck text' : null),
    isRounded: context.writeNumber === showNumber && number !== null && isRounded(number, format),
    isHidden: text !== '' && hides(number ?? text),
  }
}

/** Returns the runs of a cell, and its value when that is a number. */
function cellContent(
  { attributes: { t: type = 'n' }, value, inline }: RawCell,
  { shared, dayZero, writeNumber }: WorkbookContext,
  format: CellStyle['format'],
): { readonly runs: readonly CellRun[]; readonly number: number | null } {
  if (type === 'inlineStr') return { runs: inline, number: null }
  if (type === 's') return { runs: shared[Number(value)] ?? [], number: null }
  const plain = (text: string) => ({ runs: [{ text, look: null }], number: null })
  if (type === 'b') return plain(value === '1' ? 'TRUE' : 'FALSE')
  if (type !== 'n' || value.trim() === '') return plain(withoutEscapes(value))
  const number = Number(value)
  if (!Number.isFinite(number)) return plain(value)
  return { ...plain(writeNumber(number, format, dayZero)), number }
}
