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
