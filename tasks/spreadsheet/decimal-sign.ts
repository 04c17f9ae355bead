import { ConfigError } from '../../src/core/errors.ts'
import { readAmount } from '../../src/text/amounts.ts'
import {
  type DecimalSign,
  findProvenSign,
  isUndecided,
  withDecimalPoint,
} from '../../src/text/decimal-signs.ts'
import { writePlainAmount } from '../../src/text/numbers.ts'
import type { SheetRow, SheetTable } from '../sheet-file.ts'

const bare = /^[-+−]?\d[\d.,'’ \u00a0\u202f]*\s*%?$/
const digits = /\d(?:[\d.,'’ \u00a0\u202f]*\d)?/
const findDigits = (text: string): string => digits.exec(text)?.[0] ?? ''

/** What decides a file's decimal sign besides its numbers. */
interface DecimalRules {
  readonly path: string
  /** What separates the cells; null in a workbook. */
  readonly separator: string | null
  /** The operator's choice; null when there is none. */
  readonly chosenSign: DecimalSign | null
  /** Columns that are no values: keys, documents, tasks, questions. */
  readonly otherColumns: readonly string[]
}

/**
 * Writes the numbers of a sheet with a decimal point. Each column is decided by its own numbers, then by those of the
 * other columns. `3,125` alone decides nothing: between commas it has thousands, as in a workbook; otherwise the operator
 * is asked, because spreadsheets save semicolons where the comma is the decimal sign.
 *
 * @throws ConfigError `undecided-decimal`
 */
export function withDecimalPoints(table: SheetTable, rules: DecimalRules): SheetTable {
  const columns = table.columns.filter(
    column => !rules.otherColumns.includes(column) && isNumeric(listCells(table, column)),
  )
  const evidence = new Map(columns.map(column => [column, readSignEvidence(listCells(table, column))]))
  const ofFile = new Set([...evidence.values()].flat())
  const withComma = columns.filter(
    column => decideSign(column, evidence.get(column)!, ofFile, table, rules) === ',',
  )
  if (withComma.length === 0) return table
  const rewrite = ({ line, cells }: SheetRow): SheetRow => ({
    line,
    cells: new Map(
      [...cells].map(([name, cell]) => [name, withComma.includes(name) ? writePoints(cell) : cell]),
    ),
  })
  return { ...table, rows: table.rows.map(rewrite) }
}

const listCells = (
  { rows }: SheetTable,
  column: string,
): { readonly line: number; readonly text: string }[] =>
  rows.map(({ line, cells }) => ({ line, text: cells.get(column) ?? '' })).filter(({ text }) => text !== '')

type ColumnCells = ReturnType<typeof listCells>

const isNumeric = (cells: ColumnCells): boolean =>
  cells.length > 0 &&
  cells.every(({ text }) => bare.test(text) || readAmount(writePlainAmount(text), true) !== null)

const readSignEvidence = (cells: ColumnCells): DecimalSign[] =>
  [...new Set(cells.map(({ text }) => findProvenSign(findDigits(text))))].filter(sign => sign !== null)

function decideSign(
  column: string,
  columnSigns: readonly DecimalSign[],
  ofFile: ReadonlySet<DecimalSign>,
  table: SheetTable,
  { path, separator, chosenSign }: DecimalRules,
): DecimalSign {
  if (chosenSign !== null) return chosenSign
  const [first] = columnSigns
  if (columnSigns.length === 1 && first !== undefined) return first
  const cells = listCells(table, column)
  const open = cells.find(({ text }) => columnSigns.length > 1 || isUndecided(findDigits(text)))
  if (open === undefined) return '.'
  if (columnSigns.length === 0 && ofFile.size === 1) return [...ofFile][0]!
  const isUsual = separator === null || separator === ',' || (separator === '\t' && open.text.includes('.'))
  if (columnSigns.length === 0 && isUsual) return '.'
  const why =
    columnSigns.length > 1
      ? `column '${column}' has numbers with a decimal comma and with a decimal point`
      : `'${open.text}' in column '${column}' may be ${open.text.replace(',', '.')} or ${open.text.replace(/[.,]/, '')}`
  throw new ConfigError(
    `${path}:${open.line}: ${why}, and no other number of the file decides. Set spreadsheet.decimal to "," or "." in the config file.`,
    { code: 'undecided-decimal' },
  )
}

const writePoints = (cell: string): string => cell.replace(digits, written => withDecimalPoint(written, ','))
