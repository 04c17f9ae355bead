import { plainCell, tablesIn } from './reading-scores.ts'

/** The expected cells of a table in a PDF. A cell over several columns has its text in the first of them. */
export type ExpectedTable = readonly (readonly string[])[]

/**
 * Counts the rows of a table whose values a text has in one row, in the columns in which most rows of the table have them.
 * Cells that are expected to be empty are empty. Rows with a single value are not counted.
 *
 * @param text Markdown tables, or lines with tabs between cells
 */
export function countRightRows(table: ExpectedTable, text: string): { right: number; rows: number } {
  const expected = table
    .map(row => row.map(plainCell))
    .filter(row => row.filter(cell => cell !== '').length > 1)
  const blocks = [...tablesIn(text), ...blocksIn(text)]
  const right = blocks.reduce((sum, rows) => sum + countInBlock(expected, rows), 0)
  return { right: Math.min(right, expected.length), rows: expected.length }
}

function countInBlock(
  expected: readonly (readonly string[])[],
  rows: readonly (readonly string[])[],
): number {
  const votes = new Map<number, Map<number, number>>()
  const pairs: { readonly row: readonly string[]; readonly other: readonly string[] }[] = []
  const free = new Set(rows)
  for (const row of expected) {
    const match = [...free].find(candidate => findPlaces(row, candidate) !== null)
    if (match === undefined) continue
    free.delete(match)
    pairs.push({ row, other: match })
    for (const [column, place] of findPlaces(row, match)!) {
      const counts = votes.get(column) ?? new Map<number, number>()
      votes.set(column, counts.set(place, (counts.get(place) ?? 0) + 1))
    }
  }
  const columns = new Map(
    [...votes].map(([column, counts]) => [column, [...counts].sort((a, b) => b[1] - a[1])[0]![0]]),
  )
  return pairs.filter(({ row, other }) =>
    row.every((cell, column) => {
      const place = columns.get(column)
      return place === undefined ? cell === '' : (other[place] ?? '') === cell
    }),
  ).length
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

/** The rows of lines with tabs, block by block. */
function blocksIn(text: string): string[][][] {
  const blocks: string[][][] = [[]]
  for (const line of text.split('\n')) {
    if (!line.includes('|') && line.includes('\t')) blocks.at(-1)!.push(line.split('\t').map(plainCell))
    else if (blocks.at(-1)!.length > 0) blocks.push([])
  }
  return blocks
}
