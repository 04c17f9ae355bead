import type {
  CellValue,
  ColumnType,
  DifferenceRangeCell,
  MeasuredCell,
  PartCell,
  SampleCell,
  Table,
} from '../../core/table.ts'
import { formatArm, makeTextTable } from './text-table.ts'

/** Formats a value as a CSV field. An apostrophe keeps a spreadsheet from reading text as a formula. */
export function quoteCsvField(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Formats rows as CSV with a header line. */
export function writeCsvText(
  header: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  return [header, ...rows].map(row => `${row.map(quoteCsvField).join(',')}\n`).join('')
}

/** Escapes a text so that Markdown shows it unchanged, also in a table cell. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|#~&]/g, character => `\\${character}`).replace(/\s+/g, ' ')
}

/** Renders a table as Markdown, with its title as a heading and its remarks below. */
export function writeMarkdownTable(table: Table): string {
  const { title, columns, rows, remarks } = makeTextTable(table)
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`
  return [
    `### ${escapeMarkdown(title)}`,
    '',
    line(columns.map(({ head }) => head)),
    `| ${columns.map(({ align }) => (align === 'right' ? '--:' : ':--')).join(' | ')} |`,
    ...rows.map(line),
    '',
    ...remarks.map(remark => `${escapeMarkdown(remark)}  `),
  ].join('\n')
}

const latexSpecials: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '↑': '$\\uparrow$',
  '↓': '$\\downarrow$',
  '–': '--',
}

/** Escapes a text for LaTeX. */
export function escapeLatex(text: string): string {
  return text.replace(/[\\~^↑↓–]|[&%$#_{}]/g, special => latexSpecials[special] ?? `\\${special}`)
}

/** Renders a table as LaTeX for the booktabs package, with intervals in small print. */
export function writeLatexTable(table: Table): string {
  const { title, columns, rows, remarks } = makeTextTable(table)
  const cell = (text: string): string => escapeLatex(text).replace(/ (\[[^\]]*\]\*?)$/, ' {\\scriptsize $1}')
  const line = (cells: readonly string[]): string => `${cells.join(' & ')} \\\\`
  return [
    '\\begin{table}',
    `\\caption{${escapeLatex([`${title}.`, ...remarks].join(' '))}}`,
    `\\begin{tabular}{${columns.map(({ align }) => (align === 'right' ? 'r' : 'l')).join('')}}`,
    '\\toprule',
    line(columns.map(({ head }) => escapeLatex(head.replace('\n', ' ')))),
    '\\midrule',
    ...rows.map(row => line(row.map(cell))),
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n')
}

/** One of the fields that a column has in CSV. Optional fields are left out when no row has a value. */
type CsvField = readonly [
  name: string,
  value: (cell: never) => string | number | null | undefined,
  isOptional?: 'optional',
]

const intervalFields: readonly CsvField[] = [
  ['', ({ mean }: MeasuredCell) => mean],
  ['low', ({ low }: MeasuredCell) => low],
  ['high', ({ high }: MeasuredCell) => high],
  ['if unrated are wrong', ({ bounds }: MeasuredCell) => bounds?.low, 'optional'],
  ['if unrated are right', ({ bounds }: MeasuredCell) => bounds?.high, 'optional'],
  ['groups possibly unseen', ({ unseenShare }: MeasuredCell) => unseenShare, 'optional'],
  ['change', ({ arrow }: MeasuredCell) => arrow || null, 'optional'],
  ['n', ({ n }: MeasuredCell) => n, 'optional'],
]
const partFields: readonly CsvField[] = [
  ['', ({ part }: PartCell) => part],
  ['of', ({ whole }: PartCell) => whole],
  ['low', ({ low }: PartCell) => low, 'optional'],
  ['high', ({ high }: PartCell) => high, 'optional'],
  ['groups possibly unseen', ({ unseenShare }: PartCell) => unseenShare, 'optional'],
]

const inSeconds: readonly CsvField[] = [['', (ms: number) => ms / 1000]]

/** The fields of columns whose values have several parts, or another unit than their heads say. */
const csvFields: Readonly<Partial<Record<ColumnType, readonly CsvField[]>>> = {
  ms: inSeconds,
  shortMs: inSeconds,
  arm: [['', formatArm]],
  options: [['', formatArm]],
  mean: intervalFields.map(([name, value]) => (name === '' ? [name, value] : [name, value, 'optional'])),
  interval: intervalFields,
  spread: intervalFields,
  change: intervalFields,
  changes: [
    ['least', ({ least }: DifferenceRangeCell) => least],
    ['most', ({ most }: DifferenceRangeCell) => most],
  ],
  fraction: partFields,
  parts: partFields,
  range: [
    ['from', ([first]: readonly [number, number]) => first],
    ['to', ([, last]: readonly [number, number]) => last],
  ],
  sample: [
    ['', ({ n }: SampleCell) => n],
    ['groups', ({ components }: SampleCell) => components],
  ],
}

/**
 * Renders a table as CSV: all columns with their values as they are, shares from 0 to 1. The ends of an interval have
 * columns of their own.
 */
export function writeTableCsv({ columns, rows }: Table): string {
  const fields = columns.flatMap(({ name, type }, at) => {
    const valueIn = (row: readonly CellValue[], readField: CsvField[1] | null): string | number | null => {
      const value = row[at] ?? null
      if (value === null || value === '') return null
      return readField === null ? (value as string | number) : (readField(value as never) ?? null)
    }
    return (csvFields[type] ?? [['', null, undefined] as const]).flatMap(([part, readField, isOptional]) => {
      const values = rows.map(row => valueIn(row, readField))
      const isShown = isOptional === undefined || values.some(value => value !== null)
      return isShown ? [{ name: part === '' ? name : `${name} ${part}`, values }] : []
    })
  })
  return writeCsvText(
    fields.map(({ name }) => name),
    rows.map((_, at) => fields.map(({ values }) => values[at]!)),
  )
}
