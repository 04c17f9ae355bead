import { createRequire } from 'node:module'
import type * as Workbooks from '@e965/xlsx'
import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { oneLine } from '../../src/text/plain-text.ts'
import { type DayZero, readFormatCode, showNumber } from '../text/number-format.ts'
import type { PartedText } from './open-document.ts'
import { textsOfSlides } from './powerpoint-records.ts'

/** A package that reads a format and is not installed. */
export class MissingReaderError extends Error {
  override readonly name = 'MissingReaderError'
}

const packages = { workbooks: '@e965/xlsx', word: 'word-extractor' } as const

const require = createRequire(import.meta.url)

/** Loads a package that is installed by those who need its formats. */
function requireReader<Module>(name: string): Module {
  try {
    return require(name) as Module
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw new MissingReaderError(`this format needs the package ${name}: npm install ${name}`)
  }
}

const loadWorkbooks = () => requireReader<typeof Workbooks>(packages.workbooks)

/**
 * Reads the visible sheets of a workbook of Excel 97 (.xls) or in Excel's binary form (.xlsb). Numbers are read as in
 * .xlsx.
 *
 * @throws MissingReaderError
 * @throws Error when the file is damaged
 */
export async function readOlderWorkbook(bytes: Uint8Array): Promise<PartedText> {
  const library = loadWorkbooks()
  const book = library.read(bytes, {
    type: 'array',
    cellDates: false,
    cellNF: true,
    cellFormula: true,
    dense: true,
  })
  const parts: string[] = []
  const notices: string[] = []
  const size = { cells: 0 }
  const dayZero = book.Workbook?.WBProps?.date1904 === true ? 1904 : 1900
  for (const [at, name] of book.SheetNames.entries()) {
    if ((book.Workbook?.Sheets?.[at]?.Hidden ?? 0) > 0) continue
    const sheet = readSheet(book.Sheets[name]!, library.utils.encode_cell, size, dayZero)
    if (sheet.rows.length > 0) parts.push(`# ${name}\n${sheet.rows.join('\n')}`)
    notices.push(...sheet.faults.map(fault => `sheet '${name}', ${fault}`))
  }
  return { parts, notices }
}

interface DenseCell {
  readonly t?: string
  readonly v?: unknown
  readonly w?: string
  readonly f?: string
  readonly z?: string | number
}

/** Cells of a sheet that are named in notices. */
const mostNamedCells = 5

function readSheet(
  sheet: Workbooks.WorkSheet,
  encodeCell: (place: { r: number; c: number }) => string,
  size: { cells: number },
  dayZero: DayZero,
): { rows: string[]; faults: string[] } {
  const data =
    (sheet as { '!data'?: readonly (readonly (DenseCell | undefined)[] | undefined)[] })['!data'] ?? []
  const rows: string[] = []
  const faulty: string[] = []
  data.forEach((cells, r) => {
    if (cells === undefined) return
    const texts = Array.from(cells, cell => cellText(cell, dayZero))
    while (texts.length > 0 && texts.at(-1) === '') texts.pop()
    size.cells += texts.length
    checkLimit(size.cells, readingLimits.cells, 'cells')
    cells.forEach((cell, c) => {
      if (cell?.t === 'e') faulty.push(`cell ${encodeCell({ r, c })}: the error value ${cell.w ?? ''}`)
    })
    if (texts.length > 0) rows.push(texts.join('\t'))
  })
  const more = faulty.length - mostNamedCells
  return {
    rows,
    faults: [...faulty.slice(0, mostNamedCells), ...(more > 0 ? [`${more} more error values`] : [])],
  }
}

function cellText(cell: DenseCell | undefined, dayZero: DayZero): string {
  if (cell === undefined || cell.t === 'z' || cell.v === undefined) return ''
  if (cell.t === 'b') return cell.v === true ? 'TRUE' : 'FALSE'
  if (cell.t !== 'n' || typeof cell.v !== 'number') return oneLine(String(cell.t === 'e' ? cell.w : cell.v))
  const format = cell.z === undefined ? { kind: 'plain' as const } : readFormatCode(String(cell.z))
  return showNumber(cell.v, format, dayZero)
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
 * @throws MissingReaderError
 * @throws Error when the file is damaged
 */
export async function readOlderWord(bytes: Uint8Array): Promise<PartedText> {
  const WordExtractor = requireReader<new () => { extract(bytes: Buffer): Promise<ExtractedWord> }>(
    packages.word,
  )
  const document = await new WordExtractor().extract(Buffer.from(bytes))
  const options = { filterUnicode: false }
  const labelled = (label: string, text: string): string[] =>
    text.trim() === '' ? [] : [`${label}\n${text.trim()}`]
  const text = [
    ...labelled('Page header:', document.getHeaders({ ...options, includeFooters: false })),
    document.getBody(options).replace(/\t$/gm, '').trim(),
    document.getTextboxes({ ...options, includeHeadersAndFooters: false }).trim(),
    ...labelled('Footnotes:', document.getFootnotes(options)),
    ...labelled('Endnotes:', document.getEndnotes(options)),
    ...labelled('Page footer:', document.getFooters(options)),
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
    'raised, lowered or struck characters of this .doc file are read as ordinary ones: 10⁶ may read 106',
  ]
}

/**
 * Reads a presentation of PowerPoint 97 to 2003 (.ppt). Each slide is a part. Cells of tables are lines of their own.
 *
 * @throws MissingReaderError
 * @throws Error when the file is damaged
 */
export async function readOlderSlides(bytes: Uint8Array): Promise<PartedText> {
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
  return { parts: textsOfSlides(document, user), notices }
}
