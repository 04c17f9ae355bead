import { csvRecords } from './csv-records.ts'

const needsQuotes = /[",\n\r]/

/**
 * Writes rows as CSV, with LF line ends. A field is quoted only when necessary. An empty field that is alone in its row is
 * quoted, because its line would be blank.
 */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map(row =>
    row.length === 1 && row[0]!.trim() === '' ? `"${row[0]}"` : row.map(fieldText).join(','),
  )
  return `${lines.join('\n')}\n`
}

const fieldText = (value: string): string =>
  needsQuotes.test(value) ? `"${value.replace(/"/g, '""')}"` : value

/**
 * Reads the rows of a CSV that `writeCsv` wrote.
 *
 * @throws Error when a quote never closes, because the text was changed
 */
export function readWrittenCsv(csv: string): string[][] {
  const records = csvRecords(csv)
  if (typeof records === 'string') throw new Error(`not a CSV that was written here: ${records}`)
  return records
}
