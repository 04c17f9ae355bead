import { z } from 'zod/v4'
import { readColumnText, readPandasColumn } from '../../src/score/pandas/column.ts'
import { readPandasCsv } from '../../src/score/pandas/csv.ts'
import { pythonFloat } from '../../src/score/python/number.ts'
import { pythonStrip } from '../../src/score/python/text.ts'

/** The types of answers of GISA. */
const gisaTypes = ['item', 'set', 'list', 'table'] as const
export type GisaType = (typeof gisaTypes)[number]

/** What the scorers need from a task: the type of its answer, and the published CSV. */
export const gisaGoldSchema = z.object({ type: z.enum(gisaTypes), csv: z.string() })

/** A table whose values and column names are normalised. */
export interface GisaGrid {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Reads a gold CSV; null when it cannot be read. Only tables have a header. */
export function readGoldGrid({ type, csv }: z.infer<typeof gisaGoldSchema>): GisaGrid | null {
  if (type === 'table') return readGrid(csv, ',')
  const first = readPandasCsv(csv)
  if ('error' in first) return null
  return readGrid(`${first.table.header.map((_, at) => at).join(',')}\n${csv.replace(/^\ufeff/, '')}`, ',')
}

/**
 * Reads the answer as the published code does: the first fence that is bare or marked tsv, else the whole text, as
 * tab-separated values with a header.
 *
 * @returns null when it cannot be read
 */
export function readAnswerGrid(answer: string): GisaGrid | null {
  const content = /```(?:tsv)?\s*([\s\S]*?)```/.exec(answer)?.[1] ?? answer
  const lines = content.split('\n').filter(line => pythonStrip(line) !== '')
  return lines.length === 0 ? null : readGrid(lines.join('\n'), '\t')
}

function readGrid(text: string, separator: string): GisaGrid | null {
  const reading = readPandasCsv(text, separator)
  if ('error' in reading) return null
  const { header, rows } = reading.table
  const columns = header.map((_, at) => {
    const column = readPandasColumn(rows.map(row => row[at]!))
    return rows.map((_row, index) => normaliseValue(readColumnText(column, index) ?? ''))
  })
  return {
    columns: header.map(name => pythonStrip(name).toLowerCase().replaceAll(' ', '')),
    rows: rows.map((_, index) => columns.map(values => values[index]!)),
  }
}

/**
 * Normalises a value. A number loses "," and "$", a percentage is divided by 100, and six decimals remain. A text loses case,
 * blanks, "*" and line breaks.
 */
export function normaliseValue(value: string): string {
  const text = pythonStrip(value)
  if (['', 'nan', 'none', 'null'].includes(text.toLowerCase())) return ''
  const plain = text.replaceAll(',', '').replaceAll('$', '')
  const isPercentage = plain.endsWith('%')
  const number = pythonFloat(isPercentage ? plain.slice(0, -1) : plain)
  if (number !== null) return writeNumber(isPercentage ? number / 100 : number)
  return text.toLowerCase().replace(/[ *\n]/g, '')
}

function writeNumber(number: number): string {
  if (Number.isInteger(number)) return BigInt(number).toString()
  if (!Number.isFinite(number)) return Number.isNaN(number) ? 'nan' : number > 0 ? 'inf' : '-inf'
  return number.toFixed(6).replace(/0+$/, '').replace(/\.$/, '')
}
