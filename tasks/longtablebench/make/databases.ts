import { readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { ConfigError } from '../../../src/core/errors.ts'
import type { DocumentTable } from '../../../src/core/task.ts'
import { readTextFile } from '../../../src/system/files.ts'
import { readTable } from '../documents.ts'

/** A table about which questions can be asked. */
export interface KeyedTable {
  readonly table: DocumentTable
  /** The first column that a question can name and whose values are all present and different. */
  readonly key: string
}

/** A column of a table that contains the key of another one. */
interface KeyReference {
  readonly child: string
  readonly column: string
  readonly parent: string
}

/** The tables of one folder. */
export interface Database {
  readonly name: string
  readonly tables: readonly KeyedTable[]
  readonly references: readonly KeyReference[]
}

/** The fewest rows and columns of a table about which questions are asked. */
const minRows = 10
const minColumns = 3

/**
 * Reads each folder with CSV files, at or below a path, as a database. Tables without a key, and tables that are too
 * small, are left out.
 *
 * @throws ConfigError `no-tables` when no table remains
 * @throws DataError `unreadable-table`
 */
export async function readDatabases(path: string): Promise<Database[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (cause: NodeJS.ErrnoException) => {
      throw makeNoTablesError(path, `cannot be read (${cause.code})`)
    },
  )
  const files = entries.filter(entry => entry.isFile() && /\.csv$/i.test(entry.name))
  const folders = [...new Set(files.map(({ parentPath }) => parentPath))].sort()
  const databases: Database[] = []
  for (const folder of folders) {
    const names = files.filter(({ parentPath }) => parentPath === folder).map(({ name }) => name)
    const tables = (
      await Promise.all(names.sort().map(name => readTableUnlessEmpty(join(folder, name))))
    ).flat()
    const keyed = tables.flatMap(withKey)
    const place = relative(path, folder)
    const plain = place === '' ? basename(folder) : place.replaceAll(/[\\/]/g, '_')
    const namesakes = databases.filter(candidate => candidate.name.replace(/~\d+$/, '') === plain).length
    const name = namesakes === 0 ? plain : `${plain}~${namesakes + 1}`
    if (keyed.length > 0) databases.push({ name, tables: keyed, references: findReferences(keyed) })
  }
  if (databases.length > 0) return databases
  throw makeNoTablesError(
    path,
    `contains no CSV table with ${minRows} rows, ${minColumns} columns and a column of unique values`,
  )
}

/** Reads the table of a file. An empty file has none. */
async function readTableUnlessEmpty(file: string): Promise<DocumentTable[]> {
  return (await readTextFile(file)).trim() === '' ? [] : [await readTable(file)]
}

function makeNoTablesError(path: string, problem: string): ConfigError {
  return new ConfigError(`--tables ${path}: the folder ${problem}. Name a folder with CSV files.`, {
    code: 'no-tables',
  })
}

function withKey(table: DocumentTable): KeyedTable[] {
  if (table.rows.length < minRows || table.columns.length < minColumns) return []
  const at = table.columns.findIndex((name, column) => {
    if (!hasClearLabel(table, name)) return false
    const values = table.rows.map(row => row[column] ?? null)
    return values.every(value => value !== null) && new Set(values).size === values.length
  })
  return at < 0 ? [] : [{ table, key: table.columns[at]! }]
}

/** A column refers to a table when it has the name of its key, and each of its values is a key there. */
function findReferences(tables: readonly KeyedTable[]): KeyReference[] {
  return tables.flatMap(parent =>
    tables.flatMap(child => {
      if (child === parent || child.key === parent.key) return []
      const at = child.table.columns.indexOf(parent.key)
      if (at < 0) return []
      const keys = new Set(readCells(parent.table, parent.key))
      const isReference = child.table.rows.every(row => row[at] === null || keys.has(row[at]!))
      return isReference ? [{ child: child.table.name, column: parent.key, parent: parent.table.name }] : []
    }),
  )
}

/** Returns the name of a column or a table as a question writes it. */
export const formatLabel = (name: string): string => name.replaceAll('_', ' ')

/** Whether a question can name a column: its label is not empty, and no other column has the same one. */
export function hasClearLabel({ columns }: DocumentTable, name: string): boolean {
  const label = formatLabel(name)
  return label.trim() !== '' && columns.filter(column => formatLabel(column) === label).length === 1
}

/** Returns the cells of a column. */
export function readCells(
  { columns, rows }: DocumentTable,
  column: string,
): DocumentTable['rows'][number][number][] {
  const at = columns.indexOf(column)
  return rows.map(row => row[at] ?? null)
}
