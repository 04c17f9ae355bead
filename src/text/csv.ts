const needsQuotes = /[",\n\r]/

/** Rows as CSV: LF line ends, a field quoted only where it must be. A lone empty field is quoted, as its line would be blank. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map(row =>
    row.length === 1 && row[0]!.trim() === '' ? `"${row[0]}"` : row.map(fieldText).join(','),
  )
  return `${lines.join('\n')}\n`
}

const fieldText = (value: string): string =>
  needsQuotes.test(value) ? `"${value.replace(/"/g, '""')}"` : value
