/** One record of a CSV. */
export interface LooseRecord {
  readonly fields: readonly string[]
  /** The record as written, without its line end. */
  readonly raw: string
}

/** The records of a CSV; `notes` say what was repaired. */
interface LooseReading {
  readonly records: LooseRecord[]
  readonly notes: string[]
}

/**
 * Reads CSV as models write it. It follows RFC 4180 with these exceptions: blank lines are skipped; spaces before an
 * opening quote are removed; a quote inside an unquoted field is text; and an opening quote that never closes
 * properly is text up to the end of its line. Takes linear time and stops after `maxRecords`.
 */
export function readRecords(text: string, delimiter: string, maxRecords: number): LooseReading {
  const records: LooseRecord[] = []
  const state: QuoteState = { text, delimiter, neverCloses: text.length, literalBefore: 0, repaired: 0 }
  let at = 0
  while (at < text.length && records.length < maxRecords) {
    const record = readRecord(state, at)
    at = record.next
    if (record.raw.trim() !== '') records.push({ fields: record.fields, raw: record.raw })
  }
  return { records, notes: state.repaired > 0 ? [`${state.repaired} unbalanced quotes taken as text`] : [] }
}

interface QuoteState {
  readonly text: string
  readonly delimiter: string
  /** Quotes from this position on that span several lines do not close. */
  neverCloses: number
  /** Quotes before this position are text. */
  literalBefore: number
  repaired: number
}

function readRecord(state: QuoteState, start: number): { fields: string[]; raw: string; next: number } {
  const { text, delimiter } = state
  const fields: string[] = []
  let at = start
  for (;;) {
    const field = readQuoted(state, at) ?? readPlain(state, at)
    fields.push(field.value)
    at = field.end
    if (text.startsWith(delimiter, at)) {
      at += delimiter.length
      continue
    }
    const raw = text.slice(start, at)
    return { fields, raw, next: text.startsWith('\r\n', at) ? at + 2 : at + 1 }
  }
}

interface Field {
  readonly value: string
  readonly end: number
}

function readPlain(state: QuoteState, start: number): Field {
  const { text, delimiter } = state
  const first = delimiter.charCodeAt(0)
  let end = start
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end)
    if (code === first || code === 10 || code === 13) break
  }
  return { value: text.slice(start, end), end }
}

/** Reads a quoted field. Null when there is none, or when its quote must be read as text. */
function readQuoted(state: QuoteState, start: number): Field | null {
  const { text } = state
  const open = skipSpaces(text, start)
  if (text[open] !== '"' || open < state.literalBefore) return null
  const close = findClosing(state, open)
  if (close !== null) {
    const value = text.slice(open + 1, close)
    return {
      value: value.includes('"') ? value.replace(/""/g, '"') : value,
      end: skipSpaces(text, close + 1),
    }
  }
  state.repaired += 1
  state.literalBefore = findLineEnd(text, open)
  return null
}

/**
 * The position of the quote that ends the field: a delimiter, a line end or the end of the text follows it, apart
 * from spaces.
 */
function findClosing(state: QuoteState, open: number): number | null {
  const { text, delimiter } = state
  const limit = open >= state.neverCloses ? findLineEnd(text, open) : text.length
  let at = open + 1
  for (;;) {
    const close = text.indexOf('"', at)
    if (close < 0 || close >= limit) {
      if (limit === text.length) state.neverCloses = Math.min(state.neverCloses, open)
      return null
    }
    if (text[close + 1] === '"') {
      at = close + 2
      continue
    }
    const behind = skipSpaces(text, close + 1)
    if (behind >= text.length || text[behind] === '\n' || text[behind] === '\r') return close
    if (text.startsWith(delimiter, behind)) return close
    return null
  }
}

function skipSpaces(text: string, start: number): number {
  let at = start
  while (text[at] === ' ') at += 1
  return at
}

function findLineEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10 || code === 13) return at
  }
  return text.length
}
