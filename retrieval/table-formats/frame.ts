import type { DocumentTable } from '../../src/core/task.ts'
import { writePythonFloat } from '../../src/text/python-json.ts'

/** The type of all values in a column, as the JSON format names it. */
export type FrameColumnType = 'integer' | 'number' | 'boolean' | 'string'

/** A column with its cells as texts. A missing cell is null. */
export interface FrameColumn {
  readonly name: string
  readonly type: FrameColumnType
  readonly cells: readonly (string | null)[]
}

/** A table by columns, from which every format is written. */
export interface Frame {
  readonly name: string
  readonly columns: readonly FrameColumn[]
  /** The number of rows. */
  readonly rows: number
}

/** How the type and the texts of a column are derived from the cells of a document. */
export type FrameReading = 'lossless' | 'published'

/**
 * Converts a document's table to a frame.
 *
 * @param reading `lossless` keeps every value as it is in the document. `published` reads texts as pandas.read_csv
 *   does: `NA`, `null` and similar texts are missing, `007` is 7, and integers with a missing cell become floats.
 */
export function readFrame({ name, columns, rows }: DocumentTable, reading: FrameReading): Frame {
  const readColumn = reading === 'lossless' ? makeLosslessColumn : makePublishedColumn
  return {
    name,
    rows: rows.length,
    columns: columns.map((column, at) =>
      readColumn(
        column,
        rows.map(row => writeCell(row[at] ?? null)),
      ),
    ),
  }
}

function writeCell(value: string | number | boolean | null): string | null {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null || value === '' ? null : String(value)
}

/** Numbers as JSON writes them. Writing such a text as a number does not change it. */
const plainInteger = /^(?:0|-?[1-9]\d*)$/
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function makeLosslessColumn(name: string, cells: readonly (string | null)[]): FrameColumn {
  const texts = cells.filter(cell => cell !== null)
  const allMatch = (pattern: RegExp): boolean => texts.every(text => pattern.test(text))
  if (texts.length === 0) return { name, type: 'string', cells }
  if (allMatch(plainInteger)) return { name, type: 'integer', cells }
  if (allMatch(plainNumber)) return { name, type: 'number', cells }
  return { name, type: allMatch(/^(?:True|False)$/) ? 'boolean' : 'string', cells }
}

/** The texts that pandas.read_csv reads as missing. */
const missing = new Set([
  ...['', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>'],
  ...['N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'],
])
const pandasInteger = /^\s*[+-]?\d+\s*$/
const pandasNumber = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

function makePublishedColumn(name: string, sourceCells: readonly (string | null)[]): FrameColumn {
  const cells = sourceCells.map(cell => (cell === null || missing.has(cell) ? null : cell))
  const texts = cells.filter(cell => cell !== null)
  const allMatch = (pattern: RegExp): boolean => texts.every(text => pattern.test(text))
  const mapCells = (write: (text: string) => string) =>
    cells.map(cell => (cell === null ? null : write(cell)))
  if (allMatch(pandasInteger) && texts.length === cells.length)
    return { name, type: 'integer', cells: mapCells(text => String(BigInt(text.trim().replace(/^\+/, '')))) }
  if (allMatch(pandasNumber))
    return { name, type: 'number', cells: mapCells(text => writePythonFloat(Number(text))) }
  const isBoolean = allMatch(/^(?:True|False|TRUE|FALSE|true|false)$/) && texts.length === cells.length
  if (isBoolean)
    return { name, type: 'boolean', cells: mapCells(text => (/^t/i.test(text) ? 'True' : 'False')) }
  return { name, type: 'string', cells }
}

/** Formats a number as C's `%g`: at most six digits, with an exponent below 1e-4 and from 1e6. */
export function writeSixDigits(value: number): string {
  if (!Number.isFinite(value) || value === 0) return value === 0 ? '0' : writePythonFloat(value)
  const [mantissa, exponentText] = value.toExponential(5).split('e') as [string, string]
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < 6) return withoutZeros(value.toFixed(5 - exponent))
  const sign = exponent < 0 ? '-' : '+'
  return `${withoutZeros(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** The largest number of decimals that pandas prints in HTML. */
const maxDecimals = 6
const maxWidth = 12

/** Formats a column of floats as pandas prints it in HTML: all cells have the same number of decimals, at most six. */
export function alignDecimals({ cells }: FrameColumn): (string | null)[] {
  const values = cells.map(cell => (cell === null ? null : Number(cell)))
  const sizes = values.flatMap(value => (value === null ? [] : [Math.abs(value)]))
  const fixed = values.map(value => value?.toFixed(maxDecimals) ?? null)
  const decimals = Math.max(1, ...fixed.map(text => text?.replace(/0+$/, '').split('.')[1]?.length ?? 0))
  const width = Math.max(0, ...fixed.map(text => (text === null ? 0 : ` ${text}`.length)))
  const isSmall = sizes.some(size => size > 0 && size < 10 ** -maxDecimals)
  const isLong = width > maxWidth + 6 && sizes.some(size => size > 1e6)
  if (isSmall || isLong) return values.map(value => (value === null ? null : writeExponential(value)))
  return values.map(value => value?.toFixed(decimals) ?? null)
}

function writeExponential(value: number): string {
  const [mantissa, exponent] = value.toExponential(maxDecimals).split('e') as [string, string]
  return `${mantissa}e${exponent.startsWith('-') ? '-' : '+'}${exponent.slice(1).padStart(2, '0')}`
}

/** Converts a frame as reading it row by row in Python does: when all columns are numbers, integers become floats. */
export function byRows(frame: Frame): Frame {
  const types = frame.columns.map(({ type }) => type)
  const isNumeric = types.every(type => type === 'integer' || type === 'number')
  if (!isNumeric || !types.includes('number')) return frame
  const columns = frame.columns.map(column => ({
    ...column,
    cells: column.cells.map(cell => (cell === null ? null : writePythonFloat(Number(cell)))),
  }))
  return { ...frame, columns }
}

/** Reproduces the defects of the published XML: `nan` inside a word becomes `null`, and many letters are dropped. */
export function damagedXml(text: string): string {
  const letters = [...text].filter(letter => {
    const code = letter.codePointAt(0)!
    return code < 0x1100 || (code > 0xdfff && code <= 0xfffd)
  })
  return letters.join('').replaceAll('nan', 'null')
}
