/** A table as it stands in a CSV: the header unique, every row as long as the header. */
export interface CsvTable {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export type CsvReading = { readonly table: CsvTable } | { readonly error: string }

/**
 * Reads CSV text as pandas.read_csv does with its defaults: blank lines skipped, short rows filled up with nothing,
 * a first row longer than the header turns the leading columns into an index (left out), a later row longer than
 * its predecessor is an error, as is a quote that never closes. Repeated header names get `.1`, empty ones `Unnamed: i`.
 */
export function readPandasCsv(text: string): CsvReading {
  const records = tokenize(text.startsWith('\ufeff') ? text.slice(1) : text)
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
      header: uniqueHeader(first),
      rows: indexColumns === 0 ? rows : rows.map(row => row.slice(indexColumns)),
    },
  }
}

/** pandas' reader is written in C, where a text ends at its first NUL. */
function cutAtNul(records: readonly string[][]): void {
  for (const record of records) for (const [i, field] of record.entries()) record[i] = untilNul(field)
}

/** A text as pandas keeps it. */
export function untilNul(text: string): string {
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

/** Header names as pandas makes them unique. */
export function uniqueHeader(names: readonly string[]): string[] {
  const named = names.map((name, i) => (name === '' ? `Unnamed: ${i}` : name))
  const seen = new Set(named)
  if (seen.size === named.length) return named
  const counts = new Map<string, number>()
  const taken = new Set<string>()
  return named.map(name => {
    let count = counts.get(name) ?? 0
    let unique = name
    while (taken.has(unique) || (unique !== name && seen.has(unique))) {
      count += 1
      unique = `${name}.${count}`
    }
    counts.set(name, count)
    taken.add(unique)
    return unique
  })
}

const lineEnd = /\r\n|\n|\r/
const blankLine = /^[ \t]*$/

function tokenize(text: string): string[][] | string {
  if (text.includes('"')) return tokenizeQuoted(text)
  const records: string[][] = []
  for (const line of text.split(text.includes('\r') ? lineEnd : '\n')) {
    if (!blankLine.test(line)) records.push(line.split(','))
  }
  return records
}

const comma = 44
const quote = 34
const newline = 10
const carriageReturn = 13
const space = 32
const tab = 9

function tokenizeQuoted(text: string): string[][] | string {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    if (record.length === 0) {
      const past = pastBlankLine(text, at)
      if (past > at) {
        at = past
        continue
      }
    }
    let end: number
    if (text.charCodeAt(at) === quote) {
      const field = readQuotedField(text, at)
      if (field === null) return `a quote in row ${records.length} never closes`
      record.push(field.text)
      end = field.end
    } else {
      end = endOfField(text, at)
      record.push(text.slice(at, end))
    }
    if (end < text.length && text.charCodeAt(end) === comma) {
      at = end + 1
      if (at < text.length) continue
      record.push('')
      end = at
    }
    at = afterLineEnd(text, end)
    records.push(record)
    record = []
  }
  return records
}

/** The position behind a line of nothing but spaces and tabs; `start` itself where the line holds more. */
function pastBlankLine(text: string, start: number): number {
  let at = start
  for (let code = text.charCodeAt(at); code === space || code === tab; code = text.charCodeAt(at)) at += 1
  if (at === text.length) return at
  const code = text.charCodeAt(at)
  return code === newline || code === carriageReturn ? afterLineEnd(text, at) : start
}

/** Null where a quote is open at the end of the text. `end` is the position of the comma or line end behind. */
function readQuotedField(text: string, start: number): { text: string; end: number } | null {
  let value = ''
  let from = start + 1
  for (;;) {
    const close = text.indexOf('"', from)
    if (close < 0) return null
    const part = text.slice(from, close)
    value = value === '' ? part : value + part
    if (text.charCodeAt(close + 1) === quote) {
      value += '"'
      from = close + 2
      continue
    }
    const end = endOfField(text, close + 1)
    return { text: end === close + 1 ? value : value + text.slice(close + 1, end), end }
  }
}

function endOfField(text: string, start: number): number {
  let at = start
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === comma || code === newline || code === carriageReturn) break
  }
  return at
}

const afterLineEnd = (text: string, at: number): number =>
  text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === newline ? at + 2 : at + 1
