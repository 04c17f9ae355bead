import { oneLine } from '../../src/text/plain-text.ts'

/** Precision and recall of a text, from 0 to 1. */
export interface TextScore {
  readonly precision: number
  readonly recall: number
}

const shingleWords = 4

/** Counts the phrases that a text has, white space aside, as the tests of trafilatura do. */
export function countPhrases(phrases: readonly string[], text: string): number {
  const line = oneLine(text)
  return phrases.filter(phrase => line.includes(oneLine(phrase))).length
}

/**
 * Compares a text with the text that a page should give, by runs of four words, as article-extraction-benchmark does
 * (https://github.com/scrapinghub/article-extraction-benchmark).
 */
export function scoreText(expected: string, text: string): TextScore {
  const [expectedCounts, got] = [countShingles(expected), countShingles(text)]
  let right = 0
  for (const [shingle, count] of expectedCounts) right += Math.min(count, got.get(shingle) ?? 0)
  const [wantedCount, gotCount] = [sumOf(expectedCounts), sumOf(got)]
  return {
    precision: gotCount === 0 ? 0 : right / gotCount,
    recall: wantedCount === 0 ? 1 : right / wantedCount,
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

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/**
 * Counts the expected cells that a Markdown text has in the right column of one of its tables, with the rows in the
 * same order. The table may have further rows, such as one that names a group, and further columns.
 */
export function countRightCells(rows: readonly (readonly string[])[], markdown: string): number {
  const expected = rows.map(row => row.map(plainCell))
  return Math.max(0, ...tablesIn(markdown).map(table => alignRows(expected, table)))
}

/** The most equal cells of any pairing of rows that keeps their order. */
function alignRows(expected: readonly string[][], table: readonly string[][]): number {
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
function placeColumns(names: readonly string[], table: readonly string[][]): number[] {
  let next = 0
  return names.map((name, column) => {
    const at = table.slice(0, 3).map(row => (name === '' ? -1 : row.indexOf(name, next)))
    const place = at.find(index => index >= 0) ?? Math.max(column, next)
    next = place + 1
    return place
  })
}

const rule = /^[\s|:-]*-[\s|:-]*$/

/** The rows of lines with bars, table by table. */
export function tablesIn(markdown: string): string[][][] {
  const tables: string[][][] = []
  let table: string[][] = []
  for (const line of [...markdown.split('\n'), '']) {
    if (!line.includes('|')) {
      if (table.length > 0) tables.push(table)
      table = []
    } else if (!rule.test(line)) {
      const inner = line
        .trim()
        .replace(/^\|/, '')
        .replace(/(?<!\\)\|$/, '')
      table.push(inner.split(/(?<!\\)\|/).map(plainCell))
    }
  }
  return tables
}

/** The letters and digits of a cell. Marks, links' addresses, marks of notes such as `[4]` and white space are not compared. */
export function plainCell(cell: string): string {
  const text = cell
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[\w{1,3}\]/g, '')
    .normalize('NFKC')
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}
