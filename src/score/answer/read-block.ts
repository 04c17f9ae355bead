import { makeUniqueHeader } from '../pandas/csv.ts'
import { type Delimiter, detectDelimiter, readFirstTextLine } from './delimiter.ts'
import { removeCopiedExample } from './echoed-example.ts'
import { fitRows, type Joins } from './fit-rows.ts'
import { answerLimits } from './limits.ts'
import { type LooseRecord, readRecords } from './loose-csv.ts'
import { findMarkdownTable } from './markdown-table.ts'

/** A table as read. Every row is as long as the header, and header names are unique. `notes` say what was repaired. */
export interface TableReading {
  readonly header: string[]
  readonly rows: string[][]
  readonly notes: string[]
}

/** A table, or the reason why none could be read. */
export type BlockReading = TableReading | { readonly problem: string; readonly tooLarge: boolean }

/** Options of reading a block. */
interface BlockOptions {
  /** The delimiter; detected when absent or null. */
  readonly delimiter?: Delimiter | null
  /** Repairs mistakes that our prompts are known to cause. */
  readonly repair?: boolean
}

/** Reads a block that contains only a table: CSV or Markdown. */
export function readBlock(
  text: string,
  { delimiter: givenDelimiter = null, repair = false }: BlockOptions = {},
): BlockReading {
  const body = withoutQuoteMarks(text.replaceAll('\ufeff', ''))
  const markdown = readFirstTextLine(body).includes('|') ? findMarkdownTable(body) : null
  if (markdown !== null) return finish(markdown, ['Markdown table'], { repair, joins: 'none' })
  const separator = separatorLine.exec(body)?.groups?.separator as Delimiter | undefined
  const lines = body.replace(separatorLine, '')
  const delimiter = separator ?? givenDelimiter ?? detectDelimiter(lines)
  const { records: written, notes } = readRecords(lines, delimiter, answerLimits.rows + 2)
  const records = withoutRule(written)
  if (records.length < written.length) notes.push('a line of dashes left out')
  if (delimiter !== ',') notes.push(`delimiter ${delimiter === '\t' ? 'tab' : delimiter}`)
  const commas = delimiter === ',' || delimiter === '，'
  return finish(records, notes, { repair, joins: commas ? (repair ? 'with units' : 'numbers') : 'none' })
}

/** The first line that Excel writes to name the separator. */
const separatorLine = /^\s*sep=(?<separator>[,;\t|])[ \t]*(?:\r\n|\n|\r)/i

/** Removes the marks of a quotation in Markdown when every line has one. */
function withoutQuoteMarks(text: string): string {
  const isQuoted = text.trimStart().startsWith('>') && !/^(?![ \t]*>)[^\n]*\S/m.test(text.trim())
  return isQuoted ? text.replace(/^[ \t]*>[ \t]?/gm, '') : text
}

/** Removes a line of dashes below the header, which no cell contains. */
function withoutRule(records: LooseRecord[]): LooseRecord[] {
  const isRule = records[1]?.fields.every(field => /^[ \t]*:?-{2,}:?[ \t]*$/.test(field)) === true
  return isRule ? records.filter((_, at) => at !== 1) : records
}

interface Repairs {
  readonly repair: boolean
  readonly joins: Joins
}

function finish(
  written: readonly LooseRecord[],
  notes: readonly string[],
  { repair, joins }: Repairs,
): BlockReading {
  const { records, echoed } = repair ? removeCopiedExample(written) : { records: written, echoed: 0 }
  const [first, ...rest] = records
  if (first === undefined)
    return {
      problem: echoed > 0 ? "nothing but the prompt's example" : 'the csv block is empty',
      tooLarge: false,
    }
  const header = withoutEmptyTail(first.fields, rest)
  const tooLarge = describeSize(header.length, rest)
  if (tooLarge !== null) return { problem: tooLarge, tooLarge: true }
  const fitted = fitRows(header.length, rest, joins)
  const names = makeUniqueHeader(header)
  const renamed = names.some((name, i) => name !== header[i]) ? ['repeated or empty header names'] : []
  const copied = echoed > 0 ? [`${echoed} lines of the prompt's example left out`] : []
  return { header: names, rows: fitted.rows, notes: [...notes, ...copied, ...renamed, ...fitted.notes] }
}

/** Removes trailing columns without a name and values. A delimiter at the end of every line causes them. */
function withoutEmptyTail(header: readonly string[], rows: readonly LooseRecord[]): readonly string[] {
  let length = header.length
  while (
    length > 1 &&
    header[length - 1]!.trim() === '' &&
    rows.every(row => (row.fields[length - 1] ?? '').trim() === '')
  ) {
    length -= 1
  }
  return header.slice(0, length)
}

function describeSize(columns: number, rows: readonly LooseRecord[]): string | null {
  const { rows: maxRows, columns: maxColumns, cells, cellChars } = answerLimits
  if (rows.length > maxRows) return `table too large: more than ${maxRows} rows`
  if (columns > maxColumns) return `table too large: ${columns} columns, at most ${maxColumns}`
  if (rows.length * columns > cells)
    return `table too large: ${rows.length * columns} cells, at most ${cells}`
  return rows.some(({ fields }) => fields.some(field => field.length > cellChars))
    ? `table too large: a cell of more than ${cellChars} characters`
    : null
}
