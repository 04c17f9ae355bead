import { joinToOneLine } from '../../src/text/plain-text.ts'
import type { ExpectedTable } from './reading-collections.ts'

/** How many of all phrases, cells or rows are right. */
export interface Count {
  readonly right: number
  readonly all: number
}

/** Adds counts up. */
export function sumCounts(counts: readonly Count[]): Count {
  const sum = (key: keyof Count): number => counts.reduce((total, count) => total + count[key], 0)
  return { right: sum('right'), all: sum('all') }
}

/** Counts the phrases that a text has, white space aside, as the tests of trafilatura do. */
export function countPhrases(phrases: readonly string[], text: string): Count {
  const line = joinToOneLine(text)
  return { right: phrases.filter(phrase => line.includes(joinToOneLine(phrase))).length, all: phrases.length }
}

const shingleWords = 4

/**
 * Compares a text with the text that a page should give, by runs of four words, as article-extraction-benchmark does
 * (https://github.com/scrapinghub/article-extraction-benchmark). Returns shares from 0 to 1.
 */
export function scoreText(expected: string, text: string): { precision: number; recall: number } {
  const [expectedCounts, counts] = [countShingles(expected), countShingles(text)]
  let right = 0
  for (const [shingle, count] of expectedCounts) right += Math.min(count, counts.get(shingle) ?? 0)
  const sum = (map: ReadonlyMap<string, number>): number => [...map.values()].reduce((a, b) => a + b, 0)
  const [expectedCount, count] = [sum(expectedCounts), sum(counts)]
  return {
    precision: count === 0 ? 0 : right / count,
    recall: expectedCount === 0 ? 1 : right / expectedCount,
  }
}

function countShingles(text: string): Map<string, number> {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? []
  const counts = new Map<string, number>()
  for (let at = 0; at < Math.max(1, words.length - shingleWords + 1); at++) {
    const shingle = words.slice(at, at + shingleWords).join(' ')
    if (shingle !== '') counts.set(shingle, (counts.get(shingle) ?? 0) + 1)
  }
  return counts
}

type Rows = readonly (readonly string[])[]

/**
 * Counts the expected cells that a Markdown text has in the right column of one of its tables, with the rows in the
 * same order. The table may have further rows, such as one that names a group, and further columns.
 */
export function countRightCells(table: ExpectedTable, pages: readonly string[]): Count {
  const expected = table.map(row => row.map(plainCell))
  const tables = findTables(pages.join('\n'), cellsBetweenBars)
  const right = Math.max(0, ...tables.map(rows => alignRows(expected, rows)))
  return { right, all: expected.flat().length }
}

/** The most equal cells of any pairing of rows that keeps their order. */
function alignRows(expected: Rows, table: Rows): number {
  const columns = placeColumns(expected[0] ?? [], table)
  let before = new Array<number>(table.length + 1).fill(0)
  for (const row of expected) {
    const best = [0]
    table.forEach((tableRow, at) => {
      const equal = row.filter((cell, column) => tableRow[columns[column]!] === cell).length
      best.push(Math.max(before[at]! + equal, before[at + 1]!, best[at]!))
    })
    before = best
  }
  return before.at(-1)!
}

/** The columns of a table by their names, from left to right. The table may have further columns, such as pictures. */
function placeColumns(names: readonly string[], table: Rows): number[] {
  let next = 0
  return names.map((name, column) => {
    const at = table.slice(0, 3).map(row => (name === '' ? -1 : row.indexOf(name, next)))
    const place = at.find(index => index >= 0) ?? Math.max(column, next)
    next = place + 1
    return place
  })
}

/**
 * Counts the rows of a table whose values a text has in one row, in the columns in which most rows of the table have them.
 * Cells that are expected to be empty are empty. Rows with a single value are not counted.
 *
 * @param text Markdown tables, or lines with tabs between cells
 */
export function countRightRows(table: ExpectedTable, text: string): Count {
  const expected = table
    .map(row => row.map(plainCell))
    .filter(row => row.filter(cell => cell !== '').length > 1)
  const tables = [...findTables(text, cellsBetweenBars), ...findTables(text, cellsBetweenTabs)]
  const right = tables.reduce((sum, rows) => sum + countInTable(expected, rows), 0)
  return { right: Math.min(right, expected.length), all: expected.length }
}

function countInTable(expected: Rows, rows: Rows): number {
  const free = new Set(rows)
  const pairs = expected.flatMap(row => {
    const other = [...free].find(candidate => findPlaces(row, candidate) !== null)
    if (other === undefined) return []
    free.delete(other)
    return [{ row, other, places: findPlaces(row, other)! }]
  })
  /** The place of a column in most rows; the first one of several. */
  const usualPlace = (column: number): number | undefined => {
    const counts = new Map<number, number>()
    for (const place of pairs.flatMap(({ places }) => places.get(column) ?? []))
      counts.set(place, (counts.get(place) ?? 0) + 1)
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
  }
  const places = Array.from({ length: Math.max(0, ...expected.map(row => row.length)) }, (_, at) =>
    usualPlace(at),
  )
  const isRight = ({ row, other }: (typeof pairs)[number]): boolean =>
    row.every((cell, column) => (other[places[column] ?? -1] ?? '') === cell)
  return pairs.filter(isRight).length
}

/** The places of the values of a row in another row, from left to right; null when one is missing. */
function findPlaces(row: readonly string[], candidate: readonly string[]): Map<number, number> | null {
  const places = new Map<number, number>()
  let next = 0
  for (const [column, cell] of row.entries()) {
    if (cell === '') continue
    const place = candidate.indexOf(cell, next)
    if (place === -1) return null
    places.set(column, place)
    next = place + 1
  }
  return places
}

/** The rows of each run of lines that have cells. Lines without cells, such as rules, belong to no row and end no table. */
function findTables(text: string, readCells: (line: string) => readonly string[] | null): Rows[] {
  const tables: string[][][] = [[]]
  for (const line of text.split('\n')) {
    const cells = readCells(line)
    if (cells === null) tables.push([])
    else if (cells.length > 0) tables.at(-1)!.push(cells.map(plainCell))
  }
  return tables.filter(rows => rows.length > 0)
}

const rule = /^[\s|:-]*-[\s|:-]*$/

function cellsBetweenBars(line: string): string[] | null {
  if (!line.includes('|')) return null
  if (rule.test(line)) return []
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
}

const cellsBetweenTabs = (line: string): string[] | null =>
  line.includes('\t') && !line.includes('|') ? line.split('\t') : null

/** The letters and digits of a cell. Marks, links' addresses, marks of notes such as `[4]` and white space are not compared. */
function plainCell(cell: string): string {
  const text = cell
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[\w{1,3}\]/g, '')
    .normalize('NFKC')
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}
