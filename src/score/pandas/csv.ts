import { readCsvAsPandas } from '../../text/csv.ts'

/** A table as written in a CSV. Header names are unique, and every row is as long as the header. */
export interface CsvTable {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A table, or why the CSV could not be read. */
type CsvReading = { readonly table: CsvTable } | { readonly error: string }

/**
 * Reads CSV like pandas.read_csv (2.1.3) with its defaults, defects included: blank lines are skipped, and short rows
 * are padded. A first row longer than the header turns the leading columns into an index, which is dropped. A later
 * row longer than its predecessors is an error, and so is a quote that never closes. Repeated header names get `.1`,
 * empty ones `Unnamed: i`.
 *
 * @param separator one character
 */
export function readPandasCsv(text: string, separator = ','): CsvReading {
  const records = readCsvAsPandas(text.startsWith('\ufeff') ? text.slice(1) : text, separator)
  if (typeof records === 'string') return { error: records }
  if (text.includes('\0')) cutAtNul(records)
  const first = records.shift()
  if (first === undefined) return { error: 'no columns to parse from the file' }
  const rows = records
  let width = first.length
  for (const [i, row] of rows.entries()) {
    if (row.length > width) {
      if (i > 0) return { error: `expected ${width} fields in line ${i + 2}, saw ${row.length}` }
      width = row.length
    }
    while (row.length < width) row.push('')
  }
  const indexColumns = width - first.length
  return {
    table: {
      header: makeUniqueHeader(first),
      rows: indexColumns === 0 ? rows : rows.map(row => row.slice(indexColumns)),
    },
  }
}

/** pandas' reader is written in C, so a text ends at its first NUL. */
function cutAtNul(records: readonly string[][]): void {
  for (const record of records) for (const [i, field] of record.entries()) record[i] = cutTextAtNul(field)
}

/** The part of a text that pandas keeps. */
function cutTextAtNul(text: string): string {
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

/** Makes header names unique like pandas. Given names come before those made for empty ones. */
export function makeUniqueHeader(names: readonly string[]): string[] {
  const header = names.map((name, i) => (name === '' ? `Unnamed: ${i}` : name))
  if (new Set(header).size === header.length) return header
  const counts = new Map<string, number>()
  const named = [...names.keys()].filter(i => names[i] !== '')
  const empty = [...names.keys()].filter(i => names[i] === '')
  for (const i of [...named, ...empty]) {
    const name = header[i]!
    let unique = name
    let count = counts.get(name) ?? 0
    while (count > 0) {
      counts.set(name, count + 1)
      unique = `${name}.${count}`
      count = header.includes(unique) ? count + 1 : (counts.get(unique) ?? 0)
    }
    header[i] = unique
    counts.set(unique, count + 1)
  }
  return header
}
