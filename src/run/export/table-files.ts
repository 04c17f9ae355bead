import { type FileHandle, open } from 'node:fs/promises'
import { type ColumnSource, fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { quoteCsvField } from '../../report/tables/table-formats.ts'
import { makeWellFormed } from '../../text/plain-text.ts'
import type { ExportColumn, ExportColumnType, ExportValue } from './table.ts'

/** Writes the rows of one table to a file. */
export interface TableFile {
  write(row: readonly ExportValue[]): Promise<void>
  /** Completes the file. */
  close(): Promise<void>
}

/** The columns of a file by their names and types. */
export type FileColumns = readonly Omit<ExportColumn, 'unit' | 'description'>[]

/**
 * Creates a CSV file. A spreadsheet reads every text as text: an apostrophe precedes one that it would read as a formula,
 * and U+FFFD replaces NUL. A missing value is an empty field, an empty text is `""`.
 */
export async function createCsvFile(path: string, columns: FileColumns): Promise<TableFile> {
  const field = (value: ExportValue): string => {
    if (value === '') return '""'
    if (typeof value !== 'string') return quoteCsvField(typeof value === 'boolean' ? String(value) : value)
    return quoteCsvField(makeWellFormed(value).replaceAll('\0', '\uFFFD'))
  }
  const line = (row: readonly ExportValue[]): string => `${row.map(field).join(',')}\n`
  return await createLinesFile(path, line(columns.map(({ name }) => name)), line)
}

/** Creates a file with one JSON object on each line. */
export async function createJsonlFile(path: string, columns: FileColumns): Promise<TableFile> {
  return await createLinesFile(path, '', row => {
    const members = row.map((value, at) => [
      columns[at]!.name,
      typeof value === 'string' ? makeWellFormed(value) : value,
    ])
    return `${JSON.stringify(Object.fromEntries(members))}\n`
  })
}

/** Characters that are collected before they are written. */
const bufferedChars = 1_000_000

async function createLinesFile(
  path: string,
  head: string,
  formatRow: (row: readonly ExportValue[]) => string,
): Promise<TableFile> {
  const file: FileHandle = await open(path, 'w')
  let text = head
  const flush = async (): Promise<void> => {
    await file.writeFile(text)
    text = ''
  }
  return {
    async write(row) {
      text += formatRow(row)
      if (text.length > bufferedChars) await flush()
    },
    async close() {
      await flush()
      await file.close()
    },
  }
}

/** A row group is written when it has so many rows, or texts of so many characters. */
const groupRows = 50_000
const groupChars = 4_000_000

const parquetTypes = {
  text: 'STRING',
  json: 'STRING',
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
} as const satisfies Record<ExportColumnType, string>

type ParquetValue = string | number | bigint | boolean | Date | null

/** Creates a Parquet file. Only one row group of it is in memory. */
export function createParquetFile(path: string, columns: FileColumns): Promise<TableFile> {
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({ columnData: listColumnData(columns, []) }),
    createdBy: 'tablehunt',
  })
  let rows: (readonly ExportValue[])[] = []
  let chars = 0
  const flush = async (): Promise<void> => {
    if (rows.length > 0)
      await writer.write({ columnData: listColumnData(columns, rows), rowGroupSize: rows.length })
    rows = []
    chars = 0
  }
  return Promise.resolve({
    async write(row) {
      rows.push(row)
      for (const value of row) if (typeof value === 'string') chars += value.length
      if (rows.length >= groupRows || chars >= groupChars) await flush()
    },
    async close() {
      await flush()
      await writer.finish()
    },
  })
}

function listColumnData(columns: FileColumns, rows: readonly (readonly ExportValue[])[]): ColumnSource[] {
  return columns.map(({ name, type }, at) => ({
    name,
    type: parquetTypes[type],
    data: rows.map(row => convertToParquet(type, row[at] ?? null)),
  }))
}

function convertToParquet(type: ExportColumnType, value: ExportValue): ParquetValue {
  if (value === null) return null
  if (type === 'integer') return BigInt(value)
  if (type === 'time') {
    const time = new Date(String(value))
    return Number.isNaN(time.getTime()) ? null : time
  }
  return typeof value === 'string' ? makeWellFormed(value) : value
}
