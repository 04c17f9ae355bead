import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportedAttempt, ExportedRun } from './exported-run.ts'
import { createCsvFile, createJsonlFile } from './lines-file.ts'
import { createParquetFile } from './parquet-file.ts'
import { type OpenTable, openTable } from './table.ts'
import type { CreateTableFile, TableFile } from './table-file.ts'
import { exportTables } from './tables.ts'

/** The formats of an export, which are also the endings of its files. The first is the default. */
export const exportFormats = ['parquet', 'csv', 'jsonl'] as const
/** The format of an export. */
export type ExportFormat = (typeof exportFormats)[number]

const createFile: Readonly<Record<ExportFormat, CreateTableFile>> = {
  parquet: createParquetFile,
  csv: createCsvFile,
  jsonl: createJsonlFile,
}

/** A written table. */
export interface ExportedFile {
  readonly path: string
  readonly rows: number
}

interface OpenFile {
  readonly table: OpenTable
  readonly file: TableFile
  readonly path: string
  rows: number
}

/** The runs of an export with their attempts, which are read one at a time. */
export interface ExportSource {
  readonly runs: readonly ExportedRun[]
  readonly attempts: () => AsyncIterable<ExportedAttempt>
}

/** Writes every table to the folder. The files get their names when all are complete. */
export async function writeTables(
  { runs, attempts }: ExportSource,
  folder: string,
  format: ExportFormat,
): Promise<ExportedFile[]> {
  const open: OpenFile[] = []
  try {
    for (const table of exportTables) {
      const path = join(folder, `${table.name}.${format}`)
      const columns = openTable(table, runs)
      open.push({
        table: columns,
        path,
        rows: 0,
        file: await createFile[format](partOf(path), columns.columns),
      })
    }
    for (const run of runs) for (const one of open) await writeRows(one, one.table.rowsOfRun(run))
    for await (const attempt of attempts())
      for (const one of open) await writeRows(one, one.table.rowsOfAttempt(attempt))
    for (const { file } of open) await file.close()
    for (const { path } of open) await rename(partOf(path), path)
  } catch (error) {
    for (const { path } of open) await rm(partOf(path), { force: true })
    throw error
  }
  return open.map(({ path, rows }) => ({ path, rows }))
}

const partOf = (path: string): string => `${path}.part`

async function writeRows(open: OpenFile, rows: Iterable<Parameters<TableFile['write']>[0]>): Promise<void> {
  for (const row of rows) {
    await open.file.write(row)
    open.rows++
  }
}
