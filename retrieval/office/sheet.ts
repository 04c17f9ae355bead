import { checkLimit, readingLimits, TooLargeError } from '../../src/system/reading-limits.ts'
import { nameParts } from '../../src/text/plain-text.ts'
import type { PartedText } from './markup.ts'

/** Cells of a sheet that need a remark, such as those without a value that can be read. */
export interface CellFault {
  /** What the cells contain, such as `the error value #REF!`. */
  readonly what: string
  /** The first cells, such as `C3`. */
  readonly cells: readonly string[]
  readonly count: number
}

/** A comment or note of a cell. */
export interface CellComment {
  /** Such as `C3`. */
  readonly cell: string
  readonly text: string
}

/** A row that is not empty. Cells are texts as a person reads them, in their columns. */
export interface SheetLine {
  /** 1-based. */
  readonly number: number
  readonly cells: readonly string[]
}

/** What a sheet contains but does not show. */
export interface HiddenParts {
  /** 1-based numbers of rows with content. */
  readonly rows: ReadonlySet<number>
  /** 0-based. */
  readonly columns: ReadonlySet<number>
  /** Cells whose number format shows nothing, such as `;;;`. */
  readonly cells: ReadonlySet<string>
}

/** A sheet with its rows that are not empty. */
export interface Sheet {
  readonly name: string
  readonly rows: readonly SheetLine[]
  readonly faults: readonly CellFault[]
  /** Whether the workbook does not show the sheet. */
  readonly isHidden?: boolean
  /** Absent when everything is shown. */
  readonly hidden?: HiddenParts
  /** The comments of cells in order. Absent when there are none. */
  readonly comments?: readonly CellComment[]
}

/** The parts of a sheet while it is read. Sets of `hidden` contain what is hidden, whether it has content or not. */
export interface SheetParts {
  readonly name: string
  readonly rows: { number: number; cells: string[] }[]
  readonly faults: SheetFaults
  readonly merged: readonly MergedRange[]
  readonly comments: readonly CellComment[]
  readonly hidden: { readonly rows: Set<number>; readonly columns: Set<number>; readonly cells: Set<string> }
}

/** What has been read of a workbook so far. */
export interface WorkbookSize {
  cells: number
  chars: number
}

/**
 * Completes a sheet: repeats merged cells, and keeps of what is hidden that which has content.
 *
 * @throws TooLargeError
 */
export function completeSheet(
  { name, rows, faults, merged, hidden, comments }: SheetParts,
  size: WorkbookSize,
): Sheet {
  repeatMerged(rows, merged, size)
  const numbers = new Set(rows.map(({ number }) => number))
  const shown = {
    rows: new Set([...hidden.rows].filter(number => numbers.has(number))),
    columns: new Set(
      [...hidden.columns].filter(column => rows.some(({ cells }) => (cells[column] ?? '') !== '')),
    ),
    cells: hidden.cells,
  }
  const hides = shown.rows.size + shown.columns.size + shown.cells.size > 0
  return {
    name,
    rows,
    faults: [...faults.values()],
    ...(hides ? { hidden: shown } : {}),
    ...(comments.length === 0 ? {} : { comments }),
  }
}

/** Says what could not be read of a sheet, and what it hides. */
const describeSheet = (sheet: Sheet): string[] => [
  ...sheet.faults.map(fault => describeFault(sheet.name, fault)),
  ...describeHidden(sheet),
]

/** The sheets of a workbook, those that it shows first, and what was not read of it. */
export interface Workbook {
  readonly sheets: readonly Sheet[]
  /** With the sheet and cells of each. */
  readonly notices: readonly string[]
}

/** A sheet that was not read yet. */
export interface UnreadSheet {
  readonly name: string
  readonly isHidden: boolean
  read(): Sheet
  /** Says what is drawn on the sheet. */
  describeDrawings?(): readonly string[]
}

/**
 * Reads the sheets of a workbook. Hidden sheets follow the others. A hidden sheet that is empty is left out, and one with
 * which the workbook exceeds a limit with a notice.
 *
 * @throws TooLargeError when the visible sheets exceed a limit
 */
export function readEachSheet(unread: readonly UnreadSheet[]): Workbook {
  const sheets: Sheet[] = []
  const notices: string[] = []
  for (const entry of [...unread].sort((a, b) => Number(a.isHidden) - Number(b.isHidden))) {
    const { name, isHidden } = entry
    try {
      const sheet = entry.read()
      if (isHidden && !hasContent(sheet)) continue
      sheets.push(isHidden ? { ...sheet, isHidden } : sheet)
      notices.push(...(isHidden ? [`sheet '${name}' is hidden`] : []), ...describeSheet(sheet))
      notices.push(...(entry.describeDrawings?.() ?? []))
    } catch (error) {
      if (!isHidden || !(error instanceof TooLargeError)) throw error
      notices.push(`sheet '${name}' is hidden and not read: ${error.message}`)
    }
  }
  return { sheets, notices }
}

const hasContent = ({ rows, comments = [] }: Sheet): boolean => rows.length + comments.length > 0

/** Returns a workbook as text with a part for each sheet; without parts when no sheet has cells. */
export function writeWorkbook({ sheets, notices }: Workbook): PartedText {
  return { parts: sheets.some(hasContent) ? sheets.map(writeSheet) : [], notices }
}

/**
 * Returns a sheet as text: its name, and one line per row, with cells separated by tabs. What the sheet hides follows under
 * a heading, hidden rows below the first row that is shown and hidden columns beside the first that is. Comments are last.
 */
function writeSheet({ name, rows, isHidden, hidden, comments = [] }: Sheet): string {
  const lines = [isHidden ? `# Not visible in the workbook: ${name}` : `# ${name}`]
  if (hidden === undefined) lines.push(...rows.map(writeLine))
  else lines.push(...splitRows(rows, hidden))
  if (comments.length > 0)
    lines.push('', '## Comments', ...comments.map(({ cell, text }) => `${cell}: ${text}`))
  return lines.join('\n')
}

const writeLine = ({ cells }: SheetLine): string => cells.join('\t')

function splitRows(rows: readonly SheetLine[], hidden: HiddenParts): string[] {
  const visible: SheetLine[] = []
  const concealed: string[] = []
  for (const { number, cells } of rows) {
    if (hidden.rows.has(number)) continue
    const shown = cells.map((text, column) => {
      if (text === '' || hidden.columns.has(column) || !hidden.cells.has(nameCell(number - 1, column)))
        return text
      concealed.push(`${nameCell(number - 1, column)}: ${text}`)
      return ''
    })
    visible.push({ number, cells: shown })
  }
  const withoutHidden = visible
    .map(({ number, cells }) => ({ number, cells: cells.filter((_, column) => !hidden.columns.has(column)) }))
    .map(({ number, cells }) => ({ number, cells: trimEmptyEnd(cells) }))
    .filter(({ cells }) => cells.length > 0)
  const hiddenRows = rows.filter(({ number }) => hidden.rows.has(number))
  const inColumns = visible.flatMap(({ number, cells }) => {
    const values = [...hidden.columns].sort((a, b) => a - b).map(column => cells[column] ?? '')
    const label = cells.find((text, column) => text !== '' && !hidden.columns.has(column)) ?? ''
    return values.every(text => text === '') ? [] : [{ number, cells: trimEmptyEnd([label, ...values]) }]
  })
  const head = visible[0] === undefined ? [] : [visible[0]]
  const parts = [
    ...(inColumns.length === 0 ? [] : inColumns.map(writeLine)),
    ...(hiddenRows.length === 0 ? [] : [...head, ...hiddenRows].map(writeLine)),
    ...concealed,
  ]
  const heading = parts.length === 0 ? [] : ['', '## Not visible in the sheet']
  return [...withoutHidden.map(writeLine), ...heading, ...parts]
}

/** Removes the empty cells at the end of a row. */
export function trimEmptyEnd(cells: readonly string[]): string[] {
  let end = cells.length
  while (end > 0 && cells[end - 1]!.trim() === '') end--
  return cells.slice(0, end)
}

/** Says what a sheet hides; nothing when it shows everything. */
function describeHidden({ name, hidden }: Sheet): string[] {
  if (hidden === undefined) return []
  const columns = [...hidden.columns].sort((a, b) => a - b).map(nameColumn)
  const parts = [
    ...nameParts('row', [...hidden.rows], mostNamedCells),
    ...nameParts('column', columns, mostNamedCells),
    ...nameParts('cell', [...hidden.cells], mostNamedCells),
  ]
  return parts.length === 0 ? [] : [`sheet '${name}' hides ${parts.join('; ')}`]
}

/** A range of cells that is merged into its first cell. All numbers are 0-based and inclusive. */
export interface MergedRange {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/**
 * Repeats the text of merged cells in each of their rows and columns, as in tables of other documents. A text that is alone
 * in its row, such as a title, is not repeated over columns, nor is one in a column that contains nothing else.
 *
 * @param size the cells and characters of the workbook, which repetitions are added to
 * @throws TooLargeError
 */
function repeatMerged(
  rows: readonly { readonly number: number; readonly cells: string[] }[],
  ranges: readonly MergedRange[],
  size: WorkbookSize,
): void {
  if (ranges.length === 0) return
  const byNumber = new Map(rows.map(row => [row.number - 1, row.cells]))
  const last = rows.at(-1)?.number ?? 0
  const repeats = new Map<number, [string[], string][]>()
  const write = (cells: string[], column: number, text: string): void => {
    size.chars += text.length
    checkLimit(size.chars, readingLimits.textChars, 'characters of text')
    size.cells += Math.max(1, column + 1 - cells.length)
    checkLimit(size.cells, readingLimits.cells, 'cells')
    while (cells.length <= column) cells.push('')
    cells[column] = text
  }
  const counts = new Map(
    Array.from(byNumber, ([row, cells]) => [row, cells.filter(text => text !== '').length]),
  )
  for (const { top, left, bottom, right } of ranges) {
    const text = byNumber.get(top)?.[left] ?? ''
    if (text === '') continue
    const isAlone = counts.get(top) === 1
    for (let row = top; row <= Math.min(bottom, last - 1); row++) {
      const cells = byNumber.get(row)
      if (cells === undefined) continue
      if (row > top) write(cells, left, text)
      if (isAlone) continue
      for (let column = left + 1; column <= right; column++) {
        const places = repeats.get(column) ?? []
        repeats.set(column, places)
        places.push([cells, text])
        size.cells++
        checkLimit(size.cells, readingLimits.cells, 'cells')
      }
    }
  }
  for (const [column, places] of repeats) {
    if (rows.every(({ cells }) => (cells[column] ?? '') === '')) continue
    for (const [cells, text] of places) write(cells, column, text)
  }
}

/** Says which cells have a fault, with the name of their sheet. */
function describeFault(sheet: string, { what, cells, count }: CellFault): string {
  const more = count > cells.length ? ` and ${count - cells.length} more` : ''
  return `sheet '${sheet}', cell${count === 1 ? '' : 's'} ${cells.join(', ')}${more}: ${what}`
}

/** The faults of a sheet while it is read, by what the cells contain. */
export type SheetFaults = Map<string, { what: string; cells: string[]; count: number }>

/** Cells of one fault that are named. */
const mostNamedCells = 5

/** Adds a cell to the faults of its sheet. Row and column are 0-based. */
export function addFault(faults: SheetFaults, what: string, row: number, column: number): void {
  const cell = nameCell(row, column)
  const fault = faults.get(what) ?? { what, cells: [], count: 0 }
  faults.set(what, fault)
  fault.count++
  if (fault.cells.length < mostNamedCells) fault.cells.push(cell)
}

/** Returns the 0-based column of a reference such as `AB12`; null when it has none. */
export function readColumnIndex(reference: string | undefined): number | null {
  const letters = /^[A-Z]+/i.exec(reference ?? '')?.[0]
  if (letters === undefined) return null
  return [...letters.toUpperCase()].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Returns the letters of a 0-based column. */
function nameColumn(column: number): string {
  const rest = Math.floor(column / 26)
  return `${rest === 0 ? '' : nameColumn(rest - 1)}${String.fromCharCode(65 + (column % 26))}`
}

/** Returns the name of a cell, such as `C3`. Row and column are 0-based. */
export function nameCell(row: number, column: number): string {
  return `${nameColumn(column)}${row + 1}`
}
