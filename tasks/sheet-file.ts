import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { CsvError, parse } from 'csv-parse/sync'
import { documentEndings } from '../src/core/document.ts'
import { ConfigError, DataError } from '../src/core/errors.ts'
import { describeUnknownName } from '../src/core/nearest-name.ts'
import { nameParts } from '../src/text/plain-text.ts'
import type { LoadOptions, WorkbookSheet } from './benchmark.ts'
import { requireFile } from './jsonl.ts'

/** Whether a text is the name of a document, perhaps with more names after a semicolon. */
export const isFileName = (text: string): boolean => fileName.test(text)
const fileName = new RegExp(`^[^/\\\\]+\\.(?:${documentEndings})(?:\\s*;.*)?$`, 'i')

/** A row of a sheet: its line in the CSV file or its number in the workbook, and its texts by column. */
export interface SheetRow {
  readonly line: number
  readonly cells: ReadonlyMap<string, string>
}

/** A sheet with a header. */
export interface SheetTable {
  /** Its place in messages: the path, and the name of a sheet that is not the only one. */
  readonly place: string
  /** The name of the sheet; that of the file for a CSV file. */
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly SheetRow[]
  /** What separates the cells of a CSV file; null in a workbook. */
  readonly separator: string | null
  /** What the sheet of a workbook hides. */
  readonly hidden: WorkbookSheet['hidden']
  /** The names of its hidden columns. */
  readonly hiddenColumns: readonly string[]
}

interface NumberedRow {
  readonly number: number
  readonly cells: readonly string[]
}

/** The sheets of a file that were asked for. */
export interface SheetFile {
  readonly sheets: readonly SheetTable[]
  /** The workbook's other sheets with content. */
  readonly otherSheets: readonly OtherSheet[]
}

/** A sheet that is not read. */
export interface OtherSheet {
  readonly name: string
  /** Whether the workbook does not show it. */
  readonly isHidden: boolean
}

/** Names a sheet that is not read: `'Loans'`, `'Old' (hidden)`. */
export const nameOtherSheet = ({ name, isHidden }: OtherSheet): string =>
  `'${name}'${isHidden ? ' (hidden)' : ''}`

/**
 * Reads a CSV file (separated by commas, semicolons, tabs or what its line `sep=` says, UTF-8) or sheets of an Excel workbook.
 *
 * @param sheetNames - the names of the sheets; `'all'` for those with content; null for the first. Hidden sheets must be named
 * @throws ConfigError `no-such-sheet`, `tasks-not-found` or `unreadable-tasks`
 * @throws DataError `unreadable-spreadsheet`
 */
export async function readSheets(
  path: string,
  sheetNames: readonly string[] | 'all' | null,
  readWorkbook: LoadOptions['readWorkbook'],
): Promise<SheetFile> {
  await requireFile(path, 'a CSV or Excel file')
  const bytes = await readFile(path)
  const isWorkbook = bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04'
  if (isWorkbook) return readWorkbookSheets(path, sheetNames, openWorkbook(path, bytes, readWorkbook))
  const [name = null] = Array.isArray(sheetNames) ? sheetNames : []
  if (name !== null)
    throw makeMissingSheetError(path, `'${name}', because a CSV file has no sheets. Remove the option.`)
  const { rows, separator } = readCsvRows(path, bytes)
  const table = { place: path, name: basename(path, extname(path)), ...readTable(path, rows), separator }
  return { sheets: [{ ...table, hidden: undefined, hiddenColumns: [] }], otherSheets: [] }
}

function openWorkbook(
  path: string,
  bytes: Uint8Array,
  readWorkbook: LoadOptions['readWorkbook'],
): readonly WorkbookSheet[] {
  try {
    return readWorkbook(bytes)
  } catch (cause) {
    throw makeUnreadableError(
      `${path}: not a readable Excel workbook. Save it again as .xlsx or as CSV.`,
      cause,
    )
  }
}

function readWorkbookSheets(
  path: string,
  sheetNames: readonly string[] | 'all' | null,
  all: readonly WorkbookSheet[],
): SheetFile {
  const filled = all.filter(({ rows }) => rows.some(isFilled))
  const isShown = ({ isHidden }: WorkbookSheet): boolean => isHidden !== true
  const chosen =
    sheetNames === 'all'
      ? filled.filter(isShown)
      : sheetNames === null
        ? all.filter(isShown).slice(0, 1)
        : selectNamed(sheetNames)
  if (chosen.length === 0)
    throw makeUnreadableError(`${path}: the workbook has no sheet with content. Fill one.`)
  return {
    sheets: chosen.map(sheet => {
      const place = filled.length > 1 ? `${path}, sheet '${sheet.name}'` : path
      try {
        return readWorkbookSheet(path, place, sheet)
      } catch (cause) {
        if (sheetNames !== 'all' || !(cause instanceof DataError)) throw cause
        throw makeUnreadableError(
          `${cause.message} If the sheet is no task, list the others in spreadsheet.sheets.`,
          cause,
        )
      }
    }),
    otherSheets: filled
      .filter(sheet => !chosen.includes(sheet))
      .map(({ name, isHidden = false }) => ({ name, isHidden })),
  }

  function selectNamed(names: readonly string[]): WorkbookSheet[] {
    return names.map(name => {
      const sheet = all.find(sheet => sheet.name === name)
      if (sheet !== undefined) return sheet
      const words = describeUnknownName(
        name,
        all.map(sheet => sheet.name),
      )
      throw makeMissingSheetError(path, words)
    })
  }
}

function readWorkbookSheet(path: string, place: string, sheet: WorkbookSheet): SheetTable {
  refuseFaults(path, sheet)
  const { name, rows, hidden } = sheet
  const header = rows.find(isFilled)?.cells ?? []
  const hiddenColumns = [...(hidden?.columns ?? [])]
    .sort((a, b) => a - b)
    .flatMap(at => header[at]?.trim() || [])
  return { place, name, ...readTable(place, rows), separator: null, hidden, hiddenColumns }
}

const makeMissingSheetError = (path: string, words: string): ConfigError =>
  new ConfigError(`${path}: spreadsheet: no sheet ${words}`, { code: 'no-such-sheet' })

/** A cell without a value would be compared with answers as a text or as an empty cell. */
function refuseFaults(path: string, { name, faults }: WorkbookSheet): void {
  const [fault] = faults
  if (fault === undefined) return
  const [cell = ''] = fault.cells
  const furtherFaults = faults.reduce((sum, { count }) => sum + count, 0) - 1
  throw makeUnreadableError(
    `${path}:${cell.replace(/\D/g, '')}: cell ${cell} of sheet '${name}' contains ${fault.what}${furtherFaults === 0 ? '' : `, and ${furtherFaults} more cells have no value`}. Write the value into the cell, or empty it, and save the workbook again.`,
  )
}

/** Most hidden rows and cells that a warning names. */
const mostNamed = 5

/** What a person who looks at a sheet does not see of some of its rows. */
export interface HiddenPlaces {
  /** `sheet 'Hotels' hides rows 3, 4; column 'Beds'` */
  readonly text: string
  readonly line: number
}

/** Finds the parts of rows that a sheet hides. Null when it shows all of them. */
export function findHidden(
  rows: readonly SheetRow[],
  { name: sheetName, hidden, hiddenColumns }: SheetTable,
): HiddenPlaces | null {
  if (hidden === undefined) return null
  const hiddenRows = rows.filter(({ line }) => hidden.rows.has(line)).map(({ line }) => line)
  const lines = new Set(rows.map(({ line }) => line))
  const cells = [...hidden.cells].filter(cell => lines.has(Number(cell.replace(/\D/g, ''))))
  const columns = hiddenColumns.map(column => `'${column}'`)
  const places = [
    ...nameParts('row', hiddenRows, mostNamed),
    ...nameParts('column', columns, mostNamed),
    ...nameParts('cell', cells, mostNamed),
  ]
  if (places.length === 0) return null
  return { text: `sheet '${sheetName}' hides ${places.join('; ')}`, line: hiddenRows[0] ?? rows[0]!.line }
}

/** The first line that Excel writes before a file to name its separator. */
const separatorLine = /^sep=(.)\r?\n/i

function readCsvRows(
  path: string,
  bytes: Uint8Array,
): { readonly rows: readonly NumberedRow[]; readonly separator: string } {
  const whole = decode(path, bytes)
  const stated = separatorLine.exec(whole)
  const text = stated === null ? whole : whole.slice(stated[0].length)
  const separator = stated?.[1] ?? detectDelimiter(text)
  const linesBefore = stated === null ? 0 : 1
  let lastLine = linesBefore
  try {
    const records = parse(text, {
      delimiter: separator,
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
      on_record(read, { lines }) {
        lastLine = lines + linesBefore
        return read
      },
    }) as unknown as { readonly info: { readonly lines: number }; readonly record: string[] }[]
    const rows = records.map(({ info, record }) => ({ number: info.lines + linesBefore, cells: record }))
    return { rows, separator }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    // The parser reaches the end of the file before it misses a closing quote.
    const line =
      typeof cause.lines !== 'number' || cause.code === 'CSV_QUOTE_NOT_CLOSED'
        ? lastLine + 1
        : cause.lines + linesBefore
    const why = quoteFaults[cause.code] ?? cause.message
    throw makeUnreadableError(`${path}:${line}: not readable as CSV (${why}). ${quoteFix(path)}`, cause)
  }
}

/** What is wrong with quotes, by the code of the parser. */
const quoteFaults: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE:
    'text follows the closing quote of a cell; write a quote inside a quoted cell twice',
  CSV_QUOTE_NOT_CLOSED: 'a cell begins with a quote that is not closed',
  INVALID_OPENING_QUOTE:
    'a quote is inside a cell that does not begin with one; quote the whole cell, and write the quote inside it twice',
}

/** Says how to fix a file that is not CSV. Files of JSON are often read as spreadsheets because of a config file. */
function quoteFix(path: string): string {
  return /\.jsonl?$/i.test(path)
    ? 'This is a file of JSON lines, but the benchmark reads CSV. Give --benchmark, or remove the option from the config file.'
    : 'Fix the quotes there.'
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw makeUnreadableError(
      `${path}: neither UTF-8 text nor an .xlsx workbook. Save it as "CSV UTF-8" or .xlsx.`,
      cause,
    )
  }
}

/** Returns the delimiter. Excel uses semicolons when the comma is the decimal separator. */
function detectDelimiter(text: string): string {
  const header = text.split(/\r?\n/).find(line => line.trim() !== '') ?? ''
  const bare = header.replace(/"[^"]*"/g, '')
  const count = (delimiter: string): number => bare.split(delimiter).length
  return [';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best), ',')
}

const isFilled = ({ cells }: NumberedRow): boolean => cells.some(cell => cell.trim() !== '')

function readTable(path: string, rows: readonly NumberedRow[]): { columns: string[]; rows: SheetRow[] } {
  const [header, ...rest] = rows.filter(isFilled)
  if (header === undefined)
    throw makeUnreadableError(`${path}: no rows. Put the column names in the first row.`)
  const columns = header.cells.map(cell => cell.trim())
  const selectNamed = columns.filter(column => column !== '')
  const repeated = selectNamed.find((column, at) => selectNamed.indexOf(column) !== at)
  if (repeated !== undefined) {
    throw makeUnreadableError(
      `${path}:${header.number}: two columns are named '${repeated}'. Rename one of them.`,
    )
  }
  if (rest.length === 0) throw makeUnreadableError(`${path}: a header without rows. Add rows below it.`)
  return { columns: selectNamed, rows: rest.map(row => readRow(path, columns, row)) }
}

function readRow(path: string, columns: readonly string[], { number, cells }: NumberedRow): SheetRow {
  const stray = cells.findIndex((cell, at) => cell.trim() !== '' && (columns[at] ?? '') === '')
  if (stray >= 0) {
    throw makeUnreadableError(
      `${path}:${number}: cell ${stray + 1} ('${cells[stray]}') has no column name. Name its column, or put quotes around values that contain a separator.`,
    )
  }
  const filled = columns.map((column, at) => [column, (cells[at] ?? '').trim()] as const)
  return { line: number, cells: new Map(filled.filter(([column]) => column !== '')) }
}

const makeUnreadableError = (message: string, cause?: unknown): DataError =>
  new DataError(message, { code: 'unreadable-spreadsheet', cause })
