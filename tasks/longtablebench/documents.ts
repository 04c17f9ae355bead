import { readdir, readFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { CsvError, parse } from 'csv-parse/sync'
import { DataError } from '../../src/core/errors.ts'
import type { DocumentContent, DocumentTable, TaskDocument } from '../../src/core/task.ts'
import { makeRecordError } from '../validate/problem.ts'

/** The fields of a record that name its tables. */
interface NamedTables {
  readonly db_path: string
  readonly db_id: string
  readonly is_multi_table: boolean
  readonly highlighted_table: readonly string[]
}

/**
 * Returns a function that finds the tables of a record: the file of its table, or all files of its folder, sorted by name.
 * Each folder is listed and each table is checked once. Records of the same table share its document. The function throws
 * a DataError when a table is missing, cannot be read, or is the only one and has no rows.
 *
 * @param tables the folder `datasets/tables`
 */
export function readTables(tables: string): (record: NamedTables) => Promise<TaskDocument[]> {
  const listed = new Map<string, Promise<readonly string[]>>()
  const checkedTables = new Map<string, Promise<CheckedTable>>()
  return async ({ db_path, db_id, is_multi_table, highlighted_table: [tableTitle = ''] }) => {
    const folder = join(tables, db_path, db_id)
    const place = relative(tables, folder)
    const files = listed.get(folder) ?? listCsvFiles(place.startsWith('..') ? null : folder)
    listed.set(folder, files)
    const usedFiles = is_multi_table
      ? await files
      : (await files).filter(name => nameTable(name).toLowerCase() === tableTitle.toLowerCase())
    if (usedFiles.length === 0) {
      const what = is_multi_table ? 'no CSV file' : `no file ${tableTitle}.csv`
      throw makeRecordError(
        `${what} in datasets/tables/${place}. Add the table or correct db_path, db_id and highlighted_table.`,
        undefined,
        'missing-document',
      )
    }
    const checked: CheckedTable[] = []
    for (const file of usedFiles) {
      const path = join(folder, file)
      const table = checkedTables.get(path) ?? checkTable(`${db_path}/${db_id}/${nameTable(file)}`, path)
      checkedTables.set(path, table)
      checked.push(await table)
    }
    if (checked.every(({ hasRows }) => !hasRows))
      throw makeRecordError(
        `${join(folder, usedFiles[0]!)}: the table has no rows. Add rows, or remove the record.`,
        undefined,
        'unreadable-table',
      )
    return checked.map(({ document }) => document)
  }
}

/** A table that can be read. */
interface CheckedTable {
  readonly document: TaskDocument
  readonly hasRows: boolean
}

async function checkTable(name: string, path: string): Promise<CheckedTable> {
  const { rows } = await readTable(path)
  const load = async (): Promise<DocumentContent> => ({ kind: 'tables', tables: [await readTable(path)] })
  return { document: { name, title: nameTable(path), load }, hasRows: rows.length > 0 }
}

/** Lists the CSV files of a folder by name; none when it cannot be read. */
async function listCsvFiles(folder: string | null): Promise<readonly string[]> {
  const entries = folder === null ? [] : await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter(entry => !entry.isDirectory()).map(({ name }) => name)
  return files.filter(name => /\.csv$/i.test(name)).sort()
}

const nameTable = (file: string): string => basename(file).replace(/\.csv$/i, '')

/**
 * Reads a CSV file as a table of texts. Empty fields are null.
 *
 * @throws DataError `unreadable-table`
 */
export async function readTable(file: string): Promise<DocumentTable> {
  const unreadable = (why: string, cause?: unknown): DataError =>
    new DataError(`${file}: the table cannot be read: ${why}. Correct the CSV file.`, {
      code: 'unreadable-table',
      cause,
    })
  try {
    const [columns, ...rows] = parse(await readUtf8(file), { skip_empty_lines: true }) as string[][]
    if (columns === undefined) throw unreadable('it has no header')
    const repeated = columns.find((column, at) => columns.indexOf(column) !== at)
    if (repeated !== undefined) throw unreadable(`two columns have the name '${repeated}'`)
    const cells = rows.map(row => row.map(cell => (cell === '' ? null : cell)))
    return { name: nameTable(file), columns, rows: cells }
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(error.message, error)
    throw error instanceof DataError ? error : unreadable(explainUnreadable(error), error)
  }
}

/** Reads a file of text, without a byte order mark. The error of another encoding is a TypeError. */
export async function readUtf8(file: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
}

/** Says why `readUtf8` failed. Throws errors that have another cause. */
export function explainUnreadable(error: unknown): string {
  if (error instanceof TypeError) return 'it is not UTF-8'
  if (error instanceof Error && 'syscall' in error) return error.message
  throw error
}
