import { createRequire } from 'node:module'
import type * as Workbooks from '@e965/xlsx'
import { type OptionalPart, optionalParts, requirePackages } from '../../src/system/optional-packages.ts'
import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'
import type { PartedText } from './markup.ts'
import { type DayZero, readFormatCode, readHiding, showNumber } from './number-format.ts'
import { readSlideTexts } from './powerpoint-records.ts'
import {
  addFault,
  type CellComment,
  completeSheet,
  nameCell,
  readEachSheet,
  type Sheet,
  type SheetFaults,
  type SheetParts,
  trimEmptyEnd,
  type Workbook,
  type WorkbookSize,
} from './sheet.ts'

const require = createRequire(import.meta.url)

/** Loads the package of a part that reads a format. */
function loadReader<Module>(part: OptionalPart): Module {
  requirePackages(part)
  return require(part.packages[0]!) as Module
}

const loadWorkbooks = () => loadReader<typeof Workbooks>(optionalParts.workbooks)

/**
 * Reads the sheets of a workbook of Excel 97 (.xls) or in Excel's binary form (.xlsb). Numbers are read as in
 * .xlsx.
 *
 * @throws ConfigError `missing-package`
 * @throws Error when the file is damaged
 */
export function readOlderWorkbook(bytes: Uint8Array): Workbook {
  const library = loadWorkbooks()
  const book = library.read(bytes, { type: 'array', cellNF: true, cellStyles: true, dense: true })
  const dayZero = book.Workbook?.WBProps?.date1904 === true ? 1904 : 1900
  const size: WorkbookSize = { cells: 0, chars: 0 }
  return readEachSheet(
    book.SheetNames.map((name, at) => ({
      name,
      isHidden: (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) > 0,
      read: () => readSheet(name, book.Sheets[name] as DenseSheet, dayZero, size),
    })),
  )
}

interface DenseCell {
  readonly t?: string
  readonly v?: unknown
  /** As the sheet shows it. */
  readonly w?: string
  /** The formula. */
  readonly f?: string
  /** The code of the number format. */
  readonly z?: string | number
  /** The comments. */
  readonly c?: readonly { readonly t?: string }[]
}

interface DenseSheet {
  readonly '!data'?: readonly (readonly (DenseCell | undefined)[] | undefined)[]
  readonly '!cols'?: readonly ({ readonly hidden?: boolean } | undefined | null)[]
  readonly '!rows'?: readonly ({ readonly hidden?: boolean } | undefined | null)[]
  readonly '!merges'?: readonly Workbooks.Range[]
}

function readSheet(name: string, sheet: DenseSheet, dayZero: DayZero, size: WorkbookSize): Sheet {
  const { '!data': data = [], '!cols': columns = [], '!rows': lines = [], '!merges': merges = [] } = sheet
  const rows: SheetParts['rows'] = []
  const faults: SheetFaults = new Map()
  const comments: CellComment[] = []
  const isHidden = (part: { readonly hidden?: boolean } | undefined | null, at: number): number[] =>
    part?.hidden === true ? [at] : []
  const hidden = {
    rows: new Set(lines.flatMap((line, at) => isHidden(line, at + 1))),
    columns: new Set(columns.flatMap(isHidden)),
    cells: new Set<string>(),
  }
  for (const [row, dense] of data.entries()) {
    if (dense === undefined) continue
    const cells = trimEmptyEnd(
      Array.from(dense, cell => (cell === undefined ? '' : writeCell(cell, dayZero))),
    )
    size.cells += cells.length
    checkLimit(size.cells, readingLimits.cells, 'cells', `sheet '${name}'`)
    dense.forEach((cell, column) => {
      if (cell?.t === 'e') addFault(faults, `the error value ${cell.w ?? ''}`, row, column)
      else if (cell?.f !== undefined && cell.v === undefined)
        addFault(faults, 'a formula without a stored value', row, column)
      if (cell !== undefined && (cells[column] ?? '') !== '' && isHiddenValue(cell))
        hidden.cells.add(nameCell(row, column))
      for (const { t: text = '' } of cell?.c ?? [])
        if (text.trim() !== '') comments.push({ cell: nameCell(row, column), text: joinToOneLine(text) })
    })
    if (cells.length > 0) rows.push({ number: row + 1, cells })
  }
  const merged = merges.map(({ s: start, e: end }) => ({
    top: start.r,
    left: start.c,
    bottom: end.r,
    right: end.c,
  }))
  return completeSheet({ name, rows, faults, merged, hidden, comments }, size)
}

/** Whether the number format of a cell shows nothing of its value. */
function isHiddenValue({ v: value, z: code }: DenseCell): boolean {
  if (code === undefined || (typeof value !== 'number' && typeof value !== 'string')) return false
  return readHiding(String(code))(value)
}

function writeCell({ t: type, v: value, w: shown, z: code }: DenseCell, dayZero: DayZero): string {
  if (type === 'z' || value === undefined) return ''
  if (type === 'b') return value === true ? 'TRUE' : 'FALSE'
  if (type === 'e') return shown ?? ''
  if (typeof value !== 'number') return joinToOneLine(String(value))
  return showNumber(value, code === undefined ? { kind: 'plain' } : readFormatCode(String(code)), dayZero)
}

interface PartOptions {
  /** Whether signs outside of ASCII, such as dashes, are replaced. */
  readonly filterUnicode: boolean
  readonly includeFooters?: boolean
  readonly includeHeadersAndFooters?: boolean
}

interface ExtractedWord {
  getBody(options: PartOptions): string
  getFootnotes(options: PartOptions): string
  getEndnotes(options: PartOptions): string
  getHeaders(options: PartOptions): string
  getFooters(options: PartOptions): string
  getTextboxes(options: PartOptions): string
}

/**
 * Reads a document of Word 97 to 2003 (.doc): its text, text boxes, notes, page headers and footers. Cells of a table are separated
 * by tabs. How characters stand is not kept.
 *
 * @throws ConfigError `missing-package`
 * @throws Error when the file is damaged
 */
export async function readOlderWord(bytes: Uint8Array): Promise<PartedText> {
  const WordExtractor = loadReader<new () => { extract(bytes: Buffer): Promise<ExtractedWord> }>(
    optionalParts.word,
  )
  const document = await new WordExtractor().extract(Buffer.from(bytes))
  const options = { filterUnicode: false }
  const addLabel = (label: string, text: string): string[] =>
    text.trim() === '' ? [] : [`${label}\n${text.trim()}`]
  const text = [
    ...addLabel('Page header:', document.getHeaders({ ...options, includeFooters: false })),
    document.getBody(options).replace(/\t$/gm, '').trim(),
    document.getTextboxes({ ...options, includeHeadersAndFooters: false }).trim(),
    ...addLabel('Footnotes:', document.getFootnotes(options)),
    ...addLabel('Endnotes:', document.getEndnotes(options)),
    ...addLabel('Page footer:', document.getFooters(options)),
  ]
  return { parts: [text.filter(part => part !== '').join('\n\n')], notices: describeLooks(bytes) }
}

/** Marks of raised or lowered and of struck characters (sprmCIss and sprmCFStrike, [MS-DOC] 2.6.1). */
const lookMarks = [
  Buffer.from([0x48, 0x2a, 0x01]),
  Buffer.from([0x48, 0x2a, 0x02]),
  Buffer.from([0x37, 0x08, 0x01]),
]

function describeLooks(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!lookMarks.some(mark => buffer.includes(mark))) return []
  return [
    'raised, lowered or struck characters of this .doc file are read as ordinary ones: 10⁶ may read 106, and a figure with a note mark, 3,201¹, may read 3,2011',
  ]
}

/**
 * Reads a presentation of PowerPoint 97 to 2003 (.ppt). Each slide is a part. Cells of tables are lines of their own.
 *
 * @throws ConfigError `missing-package`
 * @throws Error when the file is damaged
 */
export function readOlderSlides(bytes: Uint8Array): PartedText {
  const { CFB } = loadWorkbooks()
  const file = CFB.read(Buffer.from(bytes), { type: 'buffer' })
  const stream = (name: string): Buffer | null => {
    const entry = CFB.find(file, name)
    return entry === null ? null : Buffer.from(entry.content as Uint8Array)
  }
  const document = stream('PowerPoint Document')
  const user = stream('Current User')
  if (document === null || user === null) throw new Error('it has no slides')
  const notices = [
    'raised, lowered or struck characters of a .ppt file are read as ordinary ones: 10⁶ reads 106',
  ]
  return { parts: readSlideTexts(document, user), notices }
}
