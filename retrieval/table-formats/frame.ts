import type { DocumentTable } from '../../src/core/task.ts'
import { pythonFloatText } from '../../src/text/python-json.ts'

/** The type of all values in a column, as the JSON format names it. */
export type ColumnType = 'integer' | 'number' | 'boolean' | 'string'

/** A column with its cells as texts. A missing cell is null. */
export interface FrameColumn {
  readonly name: string
  readonly type: ColumnType
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
export type Reading = 'lossless' | 'published'

/**
 * Converts a document's table to a frame.
 *
 * @param reading `lossless` keeps every value as it is in the document. `published` reads texts as pandas.read_csv
 *   does: `NA`, `null` and similar texts are missing, `007` is 7, and integers with a missing cell become floats.
 */
export function frameOf({ name, columns, rows }: DocumentTable, reading: Reading): Frame {
  const read = reading === 'lossless' ? losslessColumn : publishedColumn
  return {
    name,
    rows: rows.length,
    columns: columns.map((column, at) =>
      read(
        column,
        rows.map(row => cellText(row[at] ?? null)),
      ),
    ),
  }
}

function cellText(value: string | number | boolean | null): string | null {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null || value === '' ? null : String(value)
}

/** Numbers as JSON writes them. Writing such a text as a number does not change it. */
const plainInteger = /^(?:0|-?[1-9]\d*)$/
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function losslessColumn(name: string, cells: readonly (string | null)[]): FrameColumn {
  const texts = cells.filter(cell => cell !== null)
  const all = (pattern: RegExp): boolean => texts.every(text => pattern.test(text))
  if (texts.length === 0) return { name, type: 'string', cells }
  if (all(plainInteger)) return { name, type: 'integer', cells }
  if (all(plainNumber)) return { name, type: 'number', cells }
  return { name, type: all(/^(?:True|False)$/) ? 'boolean' : 'string', cells }
}

/** The texts that pandas.read_csv reads as missing. */
const missing = new Set([
  ...['', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>'],
  ...['N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'],
])
const pandasInteger = /^\s*[+-]?\d+\s*$/
const pandasNumber = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

function publishedColumn(name: string, given: readonly (string | null)[]): FrameColumn {
  const cells = given.map(cell => (cell === null || missing.has(cell) ? null : cell))
  const texts = cells.filter(cell => cell !== null)
  const all = (pattern: RegExp): boolean => texts.every(text => pattern.test(text))
  const each = (write: (text: string) => string) => cells.map(cell => (cell === null ? null : write(cell)))
  if (all(pandasInteger) && texts.length === cells.length)
    return { name, type: 'integer', cells: each(text => String(BigInt(text.trim().replace(/^\+/, '')))) }
  if (all(pandasNumber)) return { name, type: 'number', cells: each(text => pythonFloatText(Number(text))) }
  const isBoolean = all(/^(?:True|False|TRUE|FALSE|true|false)$/) && texts.length === cells.length
  if (isBoolean) return { name, type: 'boolean', cells: each(text => (/^t/i.test(text) ? 'True' : 'False')) }
  return { name, type: 'string', cells }
}
