import { pythonFloatText } from '../../src/core/python-json.ts'
import type { DocumentTable } from '../../src/core/task.ts'

export type ColumnType = 'integer' | 'number' | 'boolean' | 'string'

/** A column with its cells as texts; null: missing. */
export interface FrameColumn {
  readonly name: string
  readonly type: ColumnType
  readonly cells: readonly (string | null)[]
}

/** A table by columns, as a format writes it. */
export interface Frame {
  readonly name: string
  readonly columns: readonly FrameColumn[]
  readonly rows: number
}

/** How a column's type and texts are read from the cells of a document. */
export type Reading = 'lossless' | 'published'

/**
 * A document's table as a frame.
 *
 * `lossless` keeps every value as the document has it. `published` reads texts as pandas.read_csv does: `NA`, `null` and
 * the like are missing, `007` is 7, and a column of integers with a missing cell becomes one of floats.
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

/** Numbers as JSON writes them: any other text, such as 007, would change when it is read as a number. */
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

/** What pandas.read_csv reads as missing. */
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
