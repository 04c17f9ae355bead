import { isValue, type Line, valueCells } from './cells.ts'
import { type Column, placeCells } from './columns.ts'
import { growRegion, type Region, type Row } from './grow-region.ts'
import { isFilled, isTabular } from './is-tabular.ts'
import { joinTableLines } from './join-lines.ts'
import type { Rule } from './rules.ts'
import type { TableLine } from './table-lines.ts'

/** A table among the lines of a page, with the indices of its lines. */
export interface FoundTable {
  readonly lines: ReadonlySet<number>
  readonly rows: readonly (readonly string[])[]
}

/** Finds the tables whose columns are known only by the places of their cells. */
export function findColumnTables(
  lines: readonly Line[],
  rulesAt: (angle: number) => readonly Rule[],
): FoundTable[] {
  const rows = lines.map((line, index) => ({ ...line, index, cells: valueCells(line) }))
  // From top to bottom: parts of a table may be drawn before or after the rest of the page.
  rows.sort((first, second) => first.angle - second.angle || second.baseline - first.baseline)
  const tables: FoundTable[] = []
  let rest: readonly Row[] = rows
  // Lines with most cells show the columns best; among these, lines with values, because titles may have as many cells.
  const rank = ({ cells }: Row): number =>
    cells.length + cells.filter(({ text }) => isValue(text)).length / 100
  const seeds = rows.filter(({ cells }) => cells.length > 1).map(row => ({ row, rank: rank(row) }))
  seeds.sort((first, second) => second.rank - first.rank)
  const tried = new Set<Row>()
  for (const { row: seed } of seeds) {
    if (tried.has(seed)) continue
    const rules = rulesAt(seed.angle)
    const region = growRegion(rest, rest.indexOf(seed), rules)
    for (const row of region.rows) tried.add(row)
    const table = tableIn(region, rules)
    if (table === null) continue
    tables.push({ lines: new Set(region.rows.map(({ index }) => index)), rows: table })
    rest = rest.filter(row => !region.rows.includes(row))
  }
  return tables
}

function tableIn({ rows, columns }: Region, rules: readonly Rule[]): string[][] | null {
  const placed: TableLine[] = rows.map(row => ({
    ...{ baseline: row.baseline, height: row.height },
    cells: placeCells(row, columns),
  }))
  const lines = mergeColumns(placed, columns)
  const width = columns.length
  if (!isTabular(lines, width, rules)) return null
  const [left, right] = [columns[0]!.left, columns.at(-1)!.right]
  const joined = joinTableLines(lines, { columns: width, left, right, rules, edges: columns })
  return isFilled(joined) ? joined : null
}

/**
 * Merges neighbouring columns of which no line has both, when one has few cells: a title beside the values below it.
 * `columns` is changed too.
 */
function mergeColumns(lines: readonly TableLine[], columns: Column[]): TableLine[] {
  let merged = [...lines]
  for (let at = columns.length - 1; at > 0; at--) {
    const has = (line: TableLine, column: number): boolean =>
      line.cells.some(({ from, to }) => from <= column && to >= column)
    const [left, right] = [at - 1, at].map(column => merged.filter(line => has(line, column)))
    const few = Math.min(left!.length, right!.length)
    if (few > Math.max(2, 0.15 * merged.length) || left!.some(line => right!.includes(line))) continue
    columns[at - 1]!.right = columns[at]!.right
    columns.splice(at, 1)
    const shift = (column: number): number => (column >= at ? column - 1 : column)
    merged = merged.map(line => ({
      ...line,
      cells: line.cells.map(cell => ({ ...cell, from: shift(cell.from), to: shift(cell.to) })),
    }))
  }
  return merged
}
