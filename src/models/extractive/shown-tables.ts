import { parse } from 'csv-parse/sync'
import { isObject, parseJsonOrNull } from '../../text/json.ts'
import type { SeenDocument } from './search.ts'

/** A table that a prompt contains. Missing cells are null. */
export interface ShownTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** Returns the lines of a table, its header first. */
type ReadLines = (text: string) => string[][]

/** How to read each format of `--table-format`, with a pattern that recognises it. */
const readers: readonly (readonly [RegExp, ReadLines])[] = [
  [/^\|.*\|$/m, readMarkdown],
  [/^<table/, readHtml],
  [/^\{\n "schema"/, readJson],
  [/^\\begin\{table\}/, readLatex],
  [/^CREATE TABLE /, readSql],
  [/^<\?xml/, readXml],
  [/^[^\n]*,/, readCsv],
]

/**
 * Reads a document that is a table below its name, as the offline setting writes tables. Lines without a cell for every
 * column are left out, because the table may have been cut.
 *
 * @returns null for other documents
 */
export function readTable({ name, text }: SeenDocument): ShownTable | null {
  const fileName = name.slice(name.lastIndexOf('/') + 1)
  if (!text.startsWith(`${fileName}:\n`)) return null
  const body = text.slice(fileName.length + 2).trim()
  const reader = readers.find(([form]) => form.test(body))?.[1]
  const [columns = [], ...lines] = reader?.(body) ?? []
  if (columns.length < 2) return null
  const rows = lines
    .filter(({ length }) => length === columns.length)
    .map(cells => cells.map(cell => (/^(?:nan|null)?$/i.test(cell) ? null : cell)))
  return { name: fileName, columns, rows }
}

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, group = '']) => group)

const decodeEntities = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

function readMarkdown(text: string): string[][] {
  const lines = matches(text, /^\|(.*)\|$/gm).filter(line => !/^[:|-]+$/.test(line))
  return lines.map(line => line.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|')))
}

function readHtml(text: string): string[][] {
  return matches(text, /<tr[^>]*>([\s\S]*?)<\/tr>/g).map(row =>
    matches(row, /<t[hd]>([\s\S]*?)<\/t[hd]>/g).map(decodeEntities),
  )
}

function readJson(text: string): string[][] {
  const records = [...text.matchAll(/^ \{\n "index": [\s\S]*?\n \}/gm)].flatMap(([written]) => {
    const record = parseJsonOrNull(written)
    return isObject(record) ? [record] : []
  })
  const columns = Object.keys(records[0] ?? {}).filter(column => column !== 'index')
  return [columns, ...records.map(record => columns.map(column => String(record[column])))]
}

function readLatex(text: string): string[][] {
  return matches(text, /^(.*) \\\\$/gm).map(line => line.split(' & '))
}

function readSql(text: string): string[][] {
  const [columns = ''] = matches(text, /^INSERT INTO .*? \((.*)\) VALUES$/gm)
  const rows = matches(text, /^\((.*)\)[,;]$/gm)
  return [
    columns.split(', '),
    ...rows.map(row => matches(row, /'((?:[^']|'')*)'/g).map(cell => cell.replaceAll("''", "'"))),
  ]
}

function readXml(text: string): string[][] {
  const rows = matches(text, /<row>([\s\S]*?)<\/row>/g)
  const columns = matches(rows[0] ?? '', /^ *<([^>]+)>/gm)
  return [columns, ...rows.map(row => matches(row, /^ *<[^>]+>([\s\S]*?)<\/[^>]+>$/gm).map(decodeEntities))]
}

function readCsv(text: string): string[][] {
  return parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true })
}
