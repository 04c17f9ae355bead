import { readingLimits, tooLargeError } from '../../src/system/reading-limits.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'
import {
  type CellRun,
  type CellStyle,
  createRunReader,
  decodeEscapes,
  plainStyle,
  readCellComments,
  readCellStyles,
  readSharedTexts,
  type StruckReading,
  writeCell,
} from './cell-texts.ts'
import { type DayZero, isRounded, showNumber, writeExactNumber } from './number-format.ts'
import { describeUnread, type OfficePackage, openPackage, type Relationship } from './office-package.ts'
import {
  addFault,
  type CellComment,
  completeSheet,
  type MergedRange,
  nameCell,
  readColumnIndex,
  readEachSheet,
  type Sheet,
  type SheetFaults,
  type SheetParts,
  trimEmptyEnd,
  type UnreadSheet,
  type Workbook,
  type WorkbookSize,
} from './sheet.ts'
import { findElement, listElements, parseXml, walkElements, walkXml, type XmlHandler } from './xml-tree.ts'

/**
 * Returns the sheets of an Excel workbook as `readWorkbookParts` does, but with all digits of numbers that their formats
 * round, and without struck text. A cell with nothing but struck text is a fault.
 */
export function readWorkbook(bytes: Uint8Array): readonly Sheet[] {
  return readWorkbookParts(bytes, { writeNumber: writeExactNumber, struck: 'left-out' }).sheets
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
    dayZero: isTrue(findElement(workbook, 'workbookPr')?.attributes.date1904) ? 1904 : 1900,
    ...values,
    size: { cells: 0, chars: 0 },
  }
  const notices: string[] = []
  const unread = listElements(findElement(workbook, 'sheets'), 'sheet').flatMap(
    ({ attributes }): UnreadSheet[] => {
      const name = attributes.name ?? ''
      const link = links.find(({ id }) => id === attributes[findRelationshipAttribute(attributes)])
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
    },
  )
  const sheets = readEachSheet(unread)
  return { ...sheets, notices: [...notices, ...sheets.notices] }
}

/** Returns the attribute with the relationship of a sheet. Files may use any namespace prefix for it. */
function findRelationshipAttribute(attributes: Readonly<Record<string, string>>): string {
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
        describeUnread(`sheet '${sheet}': `, [...walkElements(root, element)].length, singular, plural),
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
  const sheet: OpenSheet = {
    name,
    comments,
    rows: [],
    faults: new Map(),
    rounded: new Map(),
    merged: [],
    hidden: { rows: new Set(), columns: new Set(), cells: new Set() },
  }
  walkXml(xml, createSheetHandler(createSheetEvents(sheet, context)))
  return completeSheet({ ...sheet, faults: new Map([...sheet.faults, ...sheet.rounded]) }, context.size)
}

/** The parts of a sheet while it is read, with the numbers that their formats round. */
interface OpenSheet extends SheetParts {
  readonly merged: MergedRange[]
  readonly rounded: SheetFaults
}

/** Creates what adds the elements of a sheet to its parts. */
function createSheetEvents(sheet: OpenSheet, context: WorkbookContext): SheetEvents {
  const { size } = context
  let number = 0
  let isHiddenRow = false
  let cells: string[] = []
  const checkSize = (count: number, limit: keyof typeof readingLimits, unit: string): void => {
    if (count > readingLimits[limit])
      throw tooLargeError(readingLimits[limit], unit, `sheet '${sheet.name}', row ${number}`)
  }
  return {
    columns(attributes) {
      for (const column of readHiddenColumns(attributes)) sheet.hidden.columns.add(column)
    },
    row({ r, ht, hidden }) {
      // A row without a number follows the previous row.
      number = r === undefined ? number + 1 : Number(r)
      isHiddenRow = isTrue(hidden) || (ht !== undefined && Number(ht) === 0)
      cells = []
    },
    cell(cell) {
      const column = readColumnIndex(cell.attributes.r) ?? cells.length
      checkSize(column + 1, 'columns', 'columns')
      while (cells.length < column) cells.push('')
      const { text, fault, isRounded: isShort, isHidden } = readCell(cell, context)
      cells[column] = text
      size.chars += text.length
      checkSize(size.chars, 'textChars', 'characters of text')
      if (fault !== null) addFault(sheet.faults, fault, number - 1, column)
      if (isShort) addFault(sheet.rounded, 'rounded, as its format shows it', number - 1, column)
      if (isHidden) sheet.hidden.cells.add(nameCell(number - 1, column))
    },
    endRow() {
      size.cells += cells.length
      checkSize(size.cells, 'cells', 'cells')
      cells = trimEmptyEnd(cells)
      if (cells.length === 0) return
      sheet.rows.push({ number, cells })
      if (isHiddenRow) sheet.hidden.rows.add(number)
    },
    merged(reference) {
      sheet.merged.push(...readMergedRange(reference))
    },
  }
}

/** Returns the 0-based columns of a range that is hidden. */
function readHiddenColumns({ min, max, width, hidden }: XmlAttributes): number[] {
  if (!isTrue(hidden) && width !== '0') return []
  const last = Math.min(Number(max), readingLimits.columns)
  return Array.from({ length: Math.max(0, last - Number(min) + 1) }, (_, at) => Number(min) - 1 + at)
}

/** Reads a reference such as `A1:B3`; nothing when it is none. */
function readMergedRange(reference: string): MergedRange[] {
  const [, left, top, right, bottom] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/i.exec(reference) ?? []
  if (top === undefined) return []
  return [
    {
      top: Number(top) - 1,
      left: readColumnIndex(left) ?? 0,
      bottom: Number(bottom) - 1,
      right: Math.min(readColumnIndex(right) ?? 0, readingLimits.columns - 1),
    },
  ]
}

type XmlAttributes = Readonly<Record<string, string>>

interface SheetEvents {
  columns(attributes: XmlAttributes): void
  row(attributes: XmlAttributes): void
  cell(cell: RawCell): void
  endRow(): void
  merged(reference: string): void
}

function createSheetHandler(events: SheetEvents): XmlHandler {
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
  const { runs, number } = readCellContent(cell, context, format)
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
function readCellContent(
  { attributes: { t: type = 'n' }, value, inline }: RawCell,
  { shared, dayZero, writeNumber }: WorkbookContext,
  format: CellStyle['format'],
): { readonly runs: readonly CellRun[]; readonly number: number | null } {
  if (type === 'inlineStr') return { runs: inline, number: null }
  if (type === 's') return { runs: shared[Number(value)] ?? [], number: null }
  const plain = (text: string) => ({ runs: [{ text, look: null }], number: null })
  if (type === 'b') return plain(value === '1' ? 'TRUE' : 'FALSE')
  if (type !== 'n' || value.trim() === '') return plain(decodeEscapes(value))
  const number = Number(value)
  if (!Number.isFinite(number)) return plain(value)
  return { ...plain(writeNumber(number, format, dayZero)), number }
}
