import type { Random } from '../../../src/core/runtime.ts'
import type { DocumentTable } from '../../../src/core/task.ts'
import { columnTypes, quoteName } from '../../../src/system/sql/table-database.ts'
import { type Database, formatLabel, hasClearLabel, type KeyedTable, readCells } from './databases.ts'

/** A condition in the words of a question and as SQL. */
export interface Condition {
  readonly words: string
  readonly sql: string
  readonly column: string
}

export const pick = <T>(values: readonly T[], random: Random): T =>
  values[Math.floor(random() * values.length)]!

/** Writes `table.column` in SQL. */
export const writeColumnSql = (table: string, column: string): string =>
  `${quoteName(table)}.${quoteName(column)}`

/** Writes a value in SQL. */
export const writeValueSql = (value: unknown, isNumeric: boolean): string =>
  isNumeric ? String(value) : `'${String(value).replaceAll("'", "''")}'`

/** The longest text that a question quotes. */
const maxChars = 60

/**
 * Returns the columns of a table that a question can use, with their types. Its key is left out, and so are columns that a
 * question cannot name.
 */
export function listUsableColumns({ table, key }: KeyedTable, not: ReadonlySet<string>) {
  const types = columnTypes(table)
  return table.columns.flatMap((name, at) =>
    name === key || not.has(name) || !hasClearLabel(table, name)
      ? []
      : [{ name, isNumeric: types[at] !== 'TEXT' }],
  )
}

/** Draws the value of a column from a row of the table; null when the value is missing or cannot be quoted. */
function drawValue(table: DocumentTable, column: string, random: Random): string | null {
  const value = String(pick(readCells(table, column), random) ?? '')
  return value === '' || value.length > maxChars || /[\n"'?]/.test(value) ? null : value
}

/** Draws the condition that a column has a value. `maxOften` is the most rows with the value. */
export function drawEquality(
  keyed: KeyedTable,
  { random, not, maxOften }: { random: Random; not: ReadonlySet<string>; maxOften: number | null },
): Condition | null {
  const columns = listUsableColumns(keyed, not)
  if (columns.length === 0) return null
  const { name, isNumeric } = pick(columns, random)
  const value = drawValue(keyed.table, name, random)
  if (value === null) return null
  const often = readCells(keyed.table, name).filter(cell => String(cell) === value).length
  if (maxOften !== null && often > maxOften) return null
  return {
    column: name,
    words: `whose ${formatLabel(name)} is ${value}`,
    sql: `${writeColumnSql(keyed.table.name, name)} = ${writeValueSql(value, isNumeric)}`,
  }
}

const comparisons = [
  ['greater than', '>'],
  ['less than', '<'],
  ['at least', '>='],
  ['at most', '<='],
] as const

/** Draws the condition that a number is above or below a value. */
export function drawComparison(
  keyed: KeyedTable,
  random: Random,
  not: ReadonlySet<string>,
): Condition | null {
  const columns = listUsableColumns(keyed, not).filter(({ isNumeric }) => isNumeric)
  if (columns.length === 0) return null
  const { name } = pick(columns, random)
  const value = drawValue(keyed.table, name, random)
  if (value === null) return null
  const [words, sign] = pick(comparisons, random)
  return {
    column: name,
    words: `whose ${formatLabel(name)} is ${words} ${value}`,
    sql: `${writeColumnSql(keyed.table.name, name)} ${sign} ${value}`,
  }
}

/** Draws the condition that a text begins with or contains a part of a value. */
export function drawTextMatch(keyed: KeyedTable, random: Random, not: ReadonlySet<string>): Condition | null {
  const columns = listUsableColumns(keyed, not).filter(({ isNumeric }) => !isNumeric)
  if (columns.length === 0) return null
  const { name } = pick(columns, random)
  const value = drawValue(keyed.table, name, random)
  if (value === null || value.length < 4) return null
  const length = 2 + Math.floor(random() * Math.min(4, value.length - 2))
  const isPrefix = random() < 0.5
  const start = isPrefix ? 0 : Math.floor(random() * (value.length - length))
  const part = value.slice(start, start + length)
  if (!/^[\p{L}\p{N}]+$/u.test(part)) return null
  const column = writeColumnSql(keyed.table.name, name)
  // LIKE ignores case. substr and instr compare exactly, as the words of the question do.
  return isPrefix
    ? {
        column: name,
        words: `whose ${formatLabel(name)} starts with "${part}"`,
        sql: `substr(${column}, 1, ${length}) = '${part}'`,
      }
    : {
        column: name,
        words: `whose ${formatLabel(name)} contains "${part}"`,
        sql: `instr(${column}, '${part}') > 0`,
      }
}

/** A condition on the table that a row refers to. */
export interface JoinedCondition extends Condition {
  readonly join: string
}

/** Draws a condition on a table that rows of this one refer to. */
export function drawParentCondition(
  keyed: KeyedTable,
  database: Database,
  random: Random,
): JoinedCondition | null {
  const references = database.references.filter(({ child }) => child === keyed.table.name)
  if (references.length === 0) return null
  const { column, parent } = pick(references, random)
  const table = database.tables.find(candidate => candidate.table.name === parent)!
  const condition = drawEquality(table, { random, not: new Set(), maxOften: null })
  if (condition === null) return null
  const on = `${writeColumnSql(keyed.table.name, column)} = ${writeColumnSql(parent, column)}`
  return {
    column,
    words: `that belongs to a ${formatLabel(parent)} ${condition.words}`,
    sql: condition.sql,
    join: ` JOIN ${quoteName(parent)} ON ${on}`,
  }
}
