import type { DocumentTable } from '../../src/core/task.ts'
import { writeCsv } from '../../src/text/csv.ts'
import {
  alignDecimals,
  byRows,
  damagedXml,
  type Frame,
  type FrameColumn,
  type FrameReading,
  readFrame,
  writeSixDigits,
} from './frame.ts'

/** Writes a table. The text ends without a line break unless the format requires one. */
type WriteTable = (frame: Frame, reading: FrameReading) => string

/** The formats of `--table-format`, in the shapes of LongTableBench. */
const writers = {
  markdown: writeMarkdown,
  html: writeHtml,
  json: writeJson,
  latex: writeLatex,
  sql: writeSql,
  xml: writeXml,
  csv: writeCsvTable,
} as const satisfies Record<string, WriteTable>

type ShapeName = keyof typeof writers

/** The text that ends each row of a format. */
const rowEnds: Readonly<Record<ShapeName, string>> = {
  markdown: '|\n',
  html: '</tr>\n',
  json: '},\n',
  latex: '\\hline\n',
  sql: '),\n',
  xml: '</row>\n',
  csv: '\n',
}

const shapeNames = Object.keys(writers) as ShapeName[]
const publishedEnding = ':published'

/**
 * The names that `--table-format` accepts. A plain name writes every value without loss. A name with `:published`
 * writes tables as the published benchmark does, including the values that it loses (see docs/longtablebench.md).
 */
export const tableFormatNames: readonly string[] = [
  ...shapeNames,
  ...shapeNames.map(name => `${name}${publishedEnding}`),
]

/** The table format of benchmarks that name no other. */
export const defaultTableFormat = 'markdown'

/**
 * Writes the tables of a document, each below its name.
 *
 * @param format one of `tableFormatNames`
 */
export function writeTables(tables: readonly DocumentTable[], format: string): string {
  const write: WriteTable = writers[readShape(format)]
  const reading = format.endsWith(publishedEnding) ? 'published' : 'lossless'
  const texts = tables.map(table => `${table.name}:\n${write(readFrame(table, reading), reading)}\n\n`)
  return reading === 'published' ? texts.join('').replace(/ +/g, ' ') : texts.join('')
}

/**
 * Returns the text that ends each row of a format.
 *
 * @param format one of `tableFormatNames`
 */
export function rowEnding(format: string): string {
  return rowEnds[readShape(format)]
}

function readShape(format: string): ShapeName {
  const shape = format.endsWith(publishedEnding) ? format.slice(0, -publishedEnding.length) : format
  if (!Object.hasOwn(writers, shape)) throw new Error(`unknown table format '${format}'`)
  return shape as ShapeName
}

/** Returns the cells of each row. `missing` is the text of missing cells. */
function listCellRows({ columns, rows }: Frame, missing: string): string[][] {
  return Array.from({ length: rows }, (_, row) => columns.map(({ cells }) => cells[row] ?? missing))
}

function withCells(frame: Frame, write: (text: string, column: FrameColumn) => string): Frame {
  const columns = frame.columns.map(column => ({
    ...column,
    cells: column.cells.map(cell => (cell === null ? null : write(cell, column))),
  }))
  return { ...frame, columns }
}

const listColumnNames = ({ columns }: Frame): string[] => columns.map(({ name }) => name)
const onOneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')

const isNumeral = (text: string): boolean => /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim())
const isWhole = (text: string): boolean => /^[+-]?\d+$/.test(text.trim())
const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Writes a pipe table. The line of dashes shows the widths and the alignment of columns. */
function writeMarkdown(frame: Frame, reading: FrameReading): string {
  const isPublished = reading === 'published'
  const shown = withCells(frame, (text, column) =>
    isPublished ? writeMarkdownText(text, column, frame) : onOneLine(text).replaceAll('|', '\\|'),
  )
  const rules = shown.columns.map(({ name, cells }) => {
    const texts = cells.map(cell => cell ?? 'nan')
    const isNumeric = texts.length > 0 && texts.every(text => text === 'nan' || isNumeral(text))
    const decimals = texts.map(countDecimals)
    const most = Math.max(-1, ...decimals)
    const widths = texts.map((text, at) => [...text].length + (isNumeric ? most - decimals[at]! : 0))
    const dashes = '-'.repeat(Math.max([...name].length + 2, ...widths) + 1)
    return isNumeric ? `${dashes}:` : `:${dashes}`
  })
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(listColumnNames(frame)), `|${rules.join('|')}|`, ...listCellRows(shown, 'nan').map(line)].join(
    '\n',
  )
}

/** Returns the number of decimals, by which a column of numbers is aligned; -1 for a whole number or a text. */
function countDecimals(text: string): number {
  if (!isNumeral(text) || isWhole(text)) return -1
  const point = text.lastIndexOf('.')
  const at = point < 0 ? text.toLowerCase().lastIndexOf('e') : point
  return at < 0 ? -1 : text.length - at - 1
}

/**
 * Writes a cell as the published Markdown does. Numbers have at most six digits. The same applies to texts in a column
 * of numerals, and to integers when the table contains nothing but numbers.
 */
function writeMarkdownText(text: string, { type, cells }: FrameColumn, frame: Frame): string {
  const isAlone = frame.columns.every(column => column.type === 'integer' || column.type === 'number')
  const isNumeralText =
    type === 'string' &&
    cells.every(cell => cell === null || isNumeral(cell)) &&
    !cells.every(cell => cell !== null && isWhole(cell))
  const isShort = type === 'number' || (type === 'integer' && isAlone) || isNumeralText
  return isShort ? writeSixDigits(Number(text)) : text
}

function writeHtml(frame: Frame, reading: FrameReading): string {
  const numbers = {
    ...frame,
    columns: frame.columns.map(column =>
      reading === 'published' && column.type === 'number'
        ? { ...column, cells: alignDecimals(column) }
        : column,
    ),
  }
  const row = (tag: string, open: string, cells: readonly string[]): string[] => [
    open,
    ...cells.map(cell => ` <${tag}>${escapeMarkup(cell)}</${tag}>`),
    ' </tr>',
  ]
  return [
    '<table border="1" class="dataframe">',
    ' <thead>',
    ...row('th', ' <tr style="text-align: right;">', listColumnNames(frame)),
    ' </thead>',
    ' <tbody>',
    ...listCellRows(numbers, 'NaN').flatMap(cells => row('td', ' <tr>', cells)),
    ' </tbody>',
    '</table>',
  ].join('\n')
}

/** Writes a schema of the columns, then the rows as records with their index. */
function writeJson(frame: Frame): string {
  const value = (column: FrameColumn, row: number): string => {
    const text = column.cells[row] ?? null
    if (text === null) return 'null'
    if (column.type === 'string') return JSON.stringify(text)
    return column.type === 'boolean' ? text.toLowerCase() : text
  }
  const fields = [{ name: 'index', type: 'integer' }, ...frame.columns].map(
    ({ name, type }) => ` {\n "name": ${JSON.stringify(name)},\n "type": "${type}"\n }`,
  )
  const records = Array.from({ length: frame.rows }, (_, row) => {
    const members = frame.columns.map(column => ` ${JSON.stringify(column.name)}: ${value(column, row)}`)
    return ` {\n${[` "index": ${row}`, ...members].join(',\n')}\n }`
  })
  return [
    '{',
    ' "schema": {',
    ' "fields": [',
    fields.join(',\n'),
    ' ],',
    ' "primaryKey": [',
    ' "index"',
    ' ],',
    ' "pandas_version": "1.4.0"',
    ' },',
    ...(records.length === 0 ? [' "data": []'] : [' "data": [', records.join(',\n'), ' ]']),
    '}',
  ].join('\n')
}

function writeLatex(frame: Frame, reading: FrameReading): string {
  const shown = reading === 'published' ? byRows(frame) : withCells(frame, onOneLine)
  const line = (cells: readonly string[]): string => `${cells.join(' & ')} \\\\\n\\hline`
  return [
    '\\begin{table}[!ht]',
    '\\centering',
    `\\begin{tabular}{|${frame.columns.map(() => 'l|').join('')}}`,
    '\\hline',
    ...[listColumnNames(frame), ...listCellRows(shown, 'nan')].map(line),
    '\\end{tabular}',
    '\\end{table}\n',
  ].join('\n')
}

/** Writes a statement that creates the table, without types, and one that inserts the rows, with every value quoted. */
function writeSql(frame: Frame, reading: FrameReading): string {
  const isPublished = reading === 'published'
  const shown = isPublished ? byRows(frame) : withCells(frame, text => text.replaceAll("'", "''"))
  const columns = listColumnNames(frame).join(', ')
  const rows = listCellRows(shown, 'nan').map(cells => `(${cells.map(cell => `'${cell}'`).join(', ')})`)
  return `CREATE TABLE ${frame.name} (${columns});\nINSERT INTO ${frame.name} (${columns}) VALUES\n${rows.join(',\n')};`
}

function writeXml(frame: Frame, reading: FrameReading): string {
  const isPublished = reading === 'published'
  const shown = isPublished ? byRows(frame) : frame
  // The published code escapes values twice.
  const escapeCell = (text: string) => (isPublished ? escapeMarkup(escapeMarkup(text)) : escapeMarkup(text))
  const rows = listCellRows(shown, isPublished ? 'nan' : 'null').map(cells => [
    ' <row>',
    ...cells.map((cell, at) => {
      const tag = writeElementName(frame.columns[at]!.name, reading)
      return ` <${tag}>${escapeCell(cell)}</${tag}>`
    }),
    ' </row>',
  ])
  const text = ['<?xml version="1.0" ?>', '<root>', ...rows.flat(), '</root>\n'].join('\n')
  return isPublished ? damagedXml(text) : text
}

/** Returns the name of an element for a column. Characters that XML does not allow become underscores. */
function writeElementName(name: string, reading: FrameReading): string {
  if (reading === 'published') return name
  const plain = name.replace(/[^\p{L}\p{N}_.-]/gu, '_')
  return /^[\p{L}_]/u.test(plain) ? plain : `_${plain}`
}

function writeCsvTable(frame: Frame): string {
  return writeCsv([listColumnNames(frame), ...listCellRows(frame, '')])
}
