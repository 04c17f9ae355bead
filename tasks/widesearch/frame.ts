import { type PandasColumn, readColumnText, readPandasColumn } from '../../src/score/pandas/column.ts'
import { readPandasCsv } from '../../src/score/pandas/csv.ts'
import { pythonStrip } from '../../src/score/python/text.ts'
import { PythonFailure } from './python-failure.ts'

/** A table by columns, as WideSearch's code handles it. Names may repeat after columns were renamed. */
export interface PandasFrame {
  readonly names: readonly string[]
  readonly columns: readonly PandasColumn[]
  readonly rowCount: number
}

/** A column's name as WideSearch compares names: lower case, without blanks around it and without spaces. */
export const normaliseColumnName = (name: string): string =>
  pythonStrip(name).toLowerCase().replaceAll(' ', '')

/**
 * Reads the table of an answer as the published code does: a fence `markdown`, or else a run of lines that begin with a
 * bar. WideSearch reads the first one of several, DeepWideSearch the last one. Null when the answer has neither.
 *
 * @throws PythonFailure when pandas cannot read the table
 */
export function readAnswerFrame(answer: string, which: 'first' | 'last'): PandasFrame | null {
  const table = findTableText(answer, which === 'first' ? 0 : -1)
  if (table === null) return null
  const frame = readFrame(writeCsvLines(table), '|')
  const places = frame.names.flatMap((name, i) => (name.startsWith('Unnamed') ? [] : [i]))
  return {
    names: places.map(i => normaliseColumnName(frame.names[i]!)),
    columns: places.map(i => frame.columns[i]!),
    rowCount: frame.rowCount,
  }
}

/**
 * Reads a gold table and keeps the required columns, in their order.
 *
 * @throws PythonFailure for an unreadable table or a missing column
 */
export function readGoldFrame(csv: string, required: readonly string[]): PandasFrame {
  const frame = readFrame(csv, ',')
  const names = frame.names.map(normaliseColumnName)
  const columns = required.map(name => {
    const column = frame.columns[names.indexOf(name)]
    if (column === undefined) throw new PythonFailure('KeyError', `the gold table has no column '${name}'`)
    return column
  })
  return { names: required, columns, rowCount: frame.rowCount }
}

/** Each cell of a column as text; a missing value is `nan`. */
export function writeColumn(column: PandasColumn, rowCount: number): string[] {
  return Array.from({ length: rowCount }, (_, i) => readColumnText(column, i) ?? 'nan')
}

function readFrame(csv: string, separator: string): PandasFrame {
  const reading = readPandasCsv(csv, separator)
  if ('error' in reading) {
    const exception = csv === '' ? 'pandas.errors.EmptyDataError' : 'pandas.errors.ParserError'
    throw new PythonFailure(exception, reading.error)
  }
  const { header, rows } = reading.table
  const columns = header.map((_, i) => readPandasColumn(rows.map(row => row[i]!)))
  return { names: header, columns, rowCount: rows.length }
}

const fence = /```markdown(.*?)```/gs
/** Lines that begin with a bar. Python's dot stops only at a line feed. */
const barLines = /(?:\|[^\n]*\n?)+/g

/** @param at the index of the table among those of the answer; negative from the end */
function findTableText(answer: string, at: number): string | null {
  const fenced = [...answer.matchAll(fence)].at(at)
  if (fenced !== undefined) return fenced[1]!
  if (answer.split('|').length < 5) return null
  const first = answer.indexOf('|')
  const start = answer.lastIndexOf('\n', first)
  const end = answer.indexOf('\n', answer.lastIndexOf('|'))
  const part = answer.slice(Math.max(0, start), end < 0 ? answer.length : end)
  return part.match(barLines)?.at(at) ?? null
}

/** The lines with bars, without rulers, and without blanks around cells. */
function writeCsvLines(table: string): string {
  const [header = '', ...rest] = pythonStrip(table).split('\n')
  return [header.replaceAll(' ', '').toLowerCase(), ...rest]
    .map(pythonStrip)
    .filter(line => line.includes('|') && !/^[|\- :]*$/.test(line))
    .map(line => line.split('|').map(pythonStrip).join('|'))
    .join('\n')
}
