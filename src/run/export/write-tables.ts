import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFiles, syncFolder } from '../../system/sync-files.ts'
import { arms, differences } from './arm-tables.ts'
import { attempts, documents, terminations } from './attempt-tables.ts'
import { items, scores } from './score-tables.ts'
import {
  type ExportColumn,
  type ExportedAttempt,
  type ExportedRun,
  type ExportTable,
  type ExportValue,
  formatJson,
} from './table.ts'
import { createCsvFile, createJsonlFile, createParquetFile, type TableFile } from './table-files.ts'
import { calls, events, fetches, searches } from './trace-tables.ts'

/** Every table of an export. */
export const exportTables: readonly ExportTable[] = [
  attempts,
  scores,
  items,
  events,
  calls,
  searches,
  fetches,
  terminations,
  arms,
  differences,
  documents,
]

const createFile = { parquet: createParquetFile, csv: createCsvFile, jsonl: createJsonlFile } as const

/** The format of an export of tables, which is also the ending of its files. */
export type ExportFormat = keyof typeof createFile
/** The formats of an export of tables. The first is the default. */
export const exportFormats = Object.keys(createFile) as ExportFormat[]

/** A written table, log or folder. */
export interface ExportedFile {
  readonly path: string
  readonly rows: number
  /** What `rows` counts. Absent for the rows of a table. */
  readonly noun?: string
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
  const open: OpenTable[] = []
  try {
    for (const table of exportTables) {
      const path = join(folder, `${table.name}.${format}`)
      const columns = [...table.columns, ...(table.runColumns?.list(runs) ?? [])]
      open.push({
        table,
        columns,
        path,
        rows: 0,
        file: await createFile[format](namePartialFile(path), columns),
      })
    }
    for (const run of runs)
      for (const openTable of open) await writeRows(openTable, openTable.table.runRows?.(run))
    for await (const attempt of attempts())
      for (const openTable of open) await writeRows(openTable, openTable.table.attemptRows?.(attempt))
    for (const { file } of open) await file.close()
    await syncFiles(open.map(({ path }) => namePartialFile(path)))
    for (const { path } of open) await rename(namePartialFile(path), path)
    await syncFolder(folder)
  } catch (error) {
    for (const { path } of open) await rm(namePartialFile(path), { force: true })
    throw error
  }
  return open.map(({ path, rows }) => ({ path, rows }))
}

/** A table whose file is being written. */
interface OpenTable {
  readonly table: ExportTable
  readonly columns: readonly ExportColumn[]
  readonly path: string
  readonly file: TableFile
  rows: number
}

const namePartialFile = (path: string): string => `${path}.part`

async function writeRows(
  open: OpenTable,
  rows: Iterable<Readonly<Record<string, unknown>>> = [],
): Promise<void> {
  for (const row of rows) {
    await open.file.write(
      open.columns.map(({ name, type }) => {
        const value = row[name] ?? null
        return type === 'json' ? formatJson(value) : (value as ExportValue)
      }),
    )
    open.rows++
  }
}
