import { type FileHandle, open } from 'node:fs/promises'
import { csvField } from '../../report/tables/table-formats.ts'
import { wellFormed } from '../../text/plain-text.ts'
import type { CellValue, OpenTable } from './table.ts'
import type { TableFile } from './table-file.ts'

/** Characters that are collected before they are written. */
const bufferedChars = 1_000_000

/**
 * Creates a CSV file. A spreadsheet reads every text as text: an apostrophe precedes one that it would read as a formula,
 * and U+FFFD replaces NUL. A missing value is an empty field, an empty text is `""`.
 */
export async function createCsvFile(path: string, columns: OpenTable['columns']): Promise<TableFile> {
  const field = (value: CellValue): string => {
    if (value === '') return '""'
    if (typeof value !== 'string') return csvField(typeof value === 'boolean' ? String(value) : value)
    return csvField(wellFormed(value).replaceAll('\0', '\uFFFD'))
  }
  const line = (row: readonly CellValue[]): string => `${row.map(field).join(',')}\n`
  return await linesFile(path, line(columns.map(({ name }) => name)), line)
}

/** Creates a file with one JSON object on each line. */
export async function createJsonlFile(path: string, columns: OpenTable['columns']): Promise<TableFile> {
  return await linesFile(path, '', row => {
    const members = row.map((value, at) => [
      columns[at]!.name,
      typeof value === 'string' ? wellFormed(value) : value,
    ])
    return `${JSON.stringify(Object.fromEntries(members))}\n`
  })
}

async function linesFile(
  path: string,
  head: string,
  lineOf: (row: readonly CellValue[]) => string,
): Promise<TableFile> {
  const file: FileHandle = await open(path, 'w')
  let text = head
  const flush = async (): Promise<void> => {
    await file.writeFile(text)
    text = ''
  }
  return {
    async write(row) {
      text += lineOf(row)
      if (text.length > bufferedChars) await flush()
    },
    async close() {
      await flush()
      await file.close()
    },
  }
}
