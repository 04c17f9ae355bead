const needsQuotes = /[",\n\r]/

/**
 * Writes rows as CSV, with LF line ends. A field is quoted only when necessary. An empty field that is alone in its row is
 * quoted, because its line would be blank.
 */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map(row =>
    row.length === 1 && row[0]!.trim() === '' ? `"${row[0]}"` : row.map(quoteField).join(','),
  )
  return `${lines.join('\n')}\n`
}

const quoteField = (value: string): string =>
  needsQuotes.test(value) ? `"${value.replace(/"/g, '""')}"` : value

/**
 * Reads the rows of a CSV that `writeCsv` wrote.
 *
 * @throws Error when a quote never closes, because the text was changed
 */
export function readWrittenCsv(csv: string): string[][] {
  const records = readCsvAsPandas(csv)
  if (typeof records === 'string') throw new Error(`not a CSV that was written here: ${records}`)
  return records
}

const blankLine = /^[ \t]*$/
const quote = 34
const newline = 10
const carriageReturn = 13
const space = 32
const tab = 9

/**
 * Divides a CSV into records and fields like pandas' reader (2.1.3); returns a message when a quote never closes.
 *
 * @param separator one character
 */
export function readCsvAsPandas(text: string, separator = ','): string[][] | string {
  if (text.includes('"') || text.includes('\r')) return readQuotedCsv(text, separator)
  const records: string[][] = []
  for (const line of text.split('\n')) {
    if (!blankLine.test(line)) records.push(line.split(separator))
  }
  return records
}

function readQuotedCsv(text: string, separator: string): string[][] | string {
  const marks: Marks = { text, separator, nextSeparator: -1, newline: -1, carriageReturn: -1 }
  const separatorCode = separator.charCodeAt(0)
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    if (record.length === 0) {
      const past = skipBlankLine(text, at, separatorCode)
      if (past > at) {
        at = past
        continue
      }
    }
    let end: number
    if (text.charCodeAt(at) === quote) {
      const close = text.indexOf('"', at + 1)
      if (close < 0) return `a quote in row ${records.length} never closes`
      end = close + 1
      if (endsField(text, end, separatorCode)) record.push(text.slice(at + 1, close))
      else {
        const field = readQuotedField(marks, at)
        if (field === null) return `a quote in row ${records.length} never closes`
        record.push(field.text)
        end = field.end
      }
    } else {
      end = findFieldEnd(marks, at)
      record.push(text.slice(at, end))
    }
    if (end < text.length && text.charCodeAt(end) === separatorCode) {
      at = end + 1
      if (at < text.length) continue
      record.push('')
      end = at
    }
    at = skipLineEnd(text, end)
    records.push(record)
    record = []
  }
  return records
}

/**
 * The position after a line of only spaces and tabs; `start` itself when the line contains more. When such a
 * line ends with a single carriage return, a separator directly after it is skipped too. This defect of pandas'
 * reader is kept.
 */
function skipBlankLine(text: string, start: number, separator: number): number {
  let at = start
  for (let code = text.charCodeAt(at); code === space || code === tab; code = text.charCodeAt(at)) at += 1
  if (at === text.length) return at
  const code = text.charCodeAt(at)
  if (code !== newline && code !== carriageReturn) return start
  const next = skipLineEnd(text, at)
  const isSingleReturn = code === carriageReturn && next === at + 1
  return isSingleReturn && text.charCodeAt(next) === separator ? next + 1 : next
}

/** Null when a quote is open at the end of the text. `end` is the position of the separator or line end after the field. */
function readQuotedField(marks: Marks, start: number): { text: string; end: number } | null {
  const { text } = marks
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
    const end = findFieldEnd(marks, close + 1)
    return { text: end === close + 1 ? value : value + text.slice(close + 1, end), end }
  }
}

/** The positions of the next separator and line ends. Each is searched again once it is passed. */
interface Marks {
  readonly text: string
  readonly separator: string
  nextSeparator: number
  newline: number
  carriageReturn: number
}

/** The position of the separator or line end at or after `start`, or the end of the text. */
function findFieldEnd(marks: Marks, start: number): number {
  const { text, separator } = marks
  if (marks.nextSeparator < start) marks.nextSeparator = findNext(text, separator, start)
  if (marks.newline < start) marks.newline = findNext(text, '\n', start)
  if (marks.carriageReturn < start) marks.carriageReturn = findNext(text, '\r', start)
  return Math.min(marks.nextSeparator, marks.newline, marks.carriageReturn)
}

/** Returns the position of a mark at or after `start`, or the end of the text. */
export function findNext(text: string, mark: string, start: number): number {
  const at = text.indexOf(mark, start)
  return at < 0 ? text.length : at
}

function endsField(text: string, at: number, separator: number): boolean {
  if (at === text.length) return true
  const code = text.charCodeAt(at)
  return code === separator || code === newline || code === carriageReturn
}

const skipLineEnd = (text: string, at: number): number =>
  text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === newline ? at + 2 : at + 1
