import type { CellValue, OpenTable } from './table.ts'

/** Writes the rows of one table to a file. */
export interface TableFile {
  write(row: readonly CellValue[]): Promise<void>
  /** Completes the file. */
  close(): Promise<void>
}

/** Creates the file of a table. */
export type CreateTableFile = (path: string, columns: OpenTable['columns']) => Promise<TableFile>
