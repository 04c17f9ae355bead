import type { Database } from 'sql.js'
import type { DocumentTable } from '../../core/task.ts'

/** A value of a result. */
type SqlValue = string | number | null

/** The rows of a query. */
export interface SqlResult {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlValue[])[]
}

/** A database in memory that contains tables. Its queries cannot change it. */
export interface TableDatabase {
  /**
   * Runs one query.
   *
   * @param maxRows further rows are not read
   * @throws SqlError
   */
  query(sql: string, maxRows: number): SqlResult
  close(): void
}

/** Why a query has no result. Its message is meant for the author of the query. */
export class SqlError extends Error {
  override readonly name = 'SqlError'
}

/**
 * Opens a database with tables. Columns of plain numbers are numbers; all others are texts. Empty cells are NULL.
 *
 * @throws SqlError when a table cannot be created, such as for two columns whose names differ only in case
 */
export async function openTableDatabase(tables: readonly DocumentTable[]): Promise<TableDatabase> {
  const { default: initSqlJs } = await import('sql.js')
  const sqlite = await initSqlJs()
  const database = new sqlite.Database()
  try {
    for (const table of tables) fillTable(database, table)
  } catch (error) {
    database.close()
    throw new SqlError(error instanceof Error ? error.message : String(error))
  }
  database.run('PRAGMA query_only = 1')
  return {
    query(sql, maxRows) {
      if (!/^\s*(?:--[^\n]*\n\s*)*(?:select|with|values)\b/i.test(sql))
        throw new SqlError('only queries are allowed: write one SELECT statement')
      try {
        const statement = database.prepare(sql)
        try {
          const rows: SqlValue[][] = []
          while (rows.length < maxRows && statement.step())
            rows.push(statement.get().map(value => (value instanceof Uint8Array ? '(binary)' : value)))
          return { columns: statement.getColumnNames(), rows }
        } finally {
          statement.free()
        }
      } catch (error) {
        throw new SqlError(error instanceof Error ? error.message : String(error))
      }
    },
    close: () => database.close(),
  }
}

function fillTable(database: Database, table: DocumentTable): void {
  const { name, columns, rows } = table
  database.run('BEGIN')
  database.run(createStatement(table))
  const types = columnTypes(table)
  const insert = database.prepare(
    `INSERT INTO ${quoteName(name)} VALUES (${columns.map(() => '?').join(', ')})`,
  )
  for (const row of rows)
    insert.run(columns.map((_, column) => sqlValue(row[column] ?? null, types[column]!)))
  insert.free()
  database.run('COMMIT')
}

/** Writes a name so that SQL reads it unchanged. Plain names are not quoted. */
export function quoteName(name: string): string {
  const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reserved.has(name.toLowerCase())
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`
}

/** Words that SQLite does not accept as names. */
const reserved = new Set(
  'add all alter and as autoincrement between case check collate commit constraint create default deferrable delete distinct drop else escape except exists foreign from group having if in index insert intersect into is isnull join limit not notnull null on or order primary references returning select set table then to transaction union unique update using values when where'.split(
    ' ',
  ),
)

type SqlType = 'INTEGER' | 'REAL' | 'TEXT'

const typesByTable = new WeakMap<DocumentTable, readonly SqlType[]>()

/** Returns the type of each column of a table. Each table is read once. */
export function columnTypes(table: DocumentTable): readonly SqlType[] {
  const types = typesByTable.get(table) ?? readTypes(table)
  typesByTable.set(table, types)
  return types
}

function readTypes({ columns, rows }: DocumentTable): SqlType[] {
  return columns.map((_, column) => {
    const texts = rows.flatMap(row => ((row[column] ?? '') === '' ? [] : [String(row[column])]))
    if (texts.length === 0) return 'TEXT'
    if (texts.every(text => /^(?:0|-?[1-9]\d{0,14})$/.test(text))) return 'INTEGER'
    return texts.every(text => /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text)) ? 'REAL' : 'TEXT'
  })
}

/** Returns the statement that creates a table, such as `CREATE TABLE rivers (name TEXT, km INTEGER);`. */
export function createStatement(table: DocumentTable): string {
  const types = columnTypes(table)
  const columns = table.columns.map((column, at) => `${quoteName(column)} ${types[at]}`)
  return `CREATE TABLE ${quoteName(table.name)} (${columns.join(', ')});`
}

function sqlValue(value: string | number | boolean | null, type: SqlType): SqlValue {
  if (value === null || value === '') return null
  return type === 'TEXT' ? String(value) : Number(value)
}
