import type { CellValue, OpenTable } from './table.ts'

/** Writes the rows of one table to a file. */
export interface TableFile {
  write(row: readonly CellValue[]): Promise<void>
  /** Completes the file. */
  close(): Promise<void>
}

/** Creates the file of a table. */
export type CreateTableFile = (path: string, columns: OpenTable['columns']) => Promise<TableFile>

/**
 * Returns a text in which single halves of UTF-16 pairs are replaced by U+FFFD. UTF-8 cannot contain them, and readers
 * reject a file that does.
 */
export function wellFormed(text: string): string {
  // The second expression is several times as slow, and few texts have any halves.
  return /[\uD800-\uDFFF]/.test(text) ? text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD') : text
}
