import type { Line } from './cells.ts'
import type { Rule, Rules } from './rules.ts'

/** Rules at most this far apart, in points, touch each other. */
const touch = 3
/** The positions of rules at most this far apart, in points, are one edge of the grid. */
const sameEdge = 4
/** A column is wider than this, in points. */
const minColumnWidth = 8
/** More crossings of rules are not looked at: a map or a chart. */
const maxPairs = 1_000_000
const maxCells = 20_000

/** A grid of rules: the edges of its columns from left to right and of its rows from top to bottom. */
export interface Grid {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  /** For each cell of the grid, row by row, the number of the cell that it belongs to: cells without a rule between them are one. */
  readonly owners: readonly number[]
}

/** Returns the grids that crossing rules form, the smallest first. A grid has at least two rows and two columns. */
export function findGrids({ horizontal, vertical }: Rules): Grid[] {
  if (horizontal.length * vertical.length > maxPairs) return []
  const groups: { readonly rows: Set<Rule>; readonly columns: Set<Rule> }[] = []
  for (const row of horizontal) {
    const crossing = vertical.filter(column => crosses(row, column))
    if (crossing.length === 0) continue
    const touching = groups.filter(group => crossing.some(column => group.columns.has(column)))
    const group = touching[0] ?? { rows: new Set(), columns: new Set() }
    if (touching.length === 0) groups.push(group)
    group.rows.add(row)
    for (const column of crossing) group.columns.add(column)
    for (const joined of touching.slice(1)) {
      for (const rule of joined.rows) group.rows.add(rule)
      for (const rule of joined.columns) group.columns.add(rule)
      groups.splice(groups.indexOf(joined), 1)
    }
  }
  const grids = groups.flatMap(({ rows, columns }) => buildGrid([...rows], [...columns]) ?? [])
  // A table in a cell of another table comes first.
  return grids.sort((first, second) => computeArea(first) - computeArea(second))
}

const computeArea = ({ xs, ys }: Grid): number => (xs.at(-1)! - xs[0]!) * (ys[0]! - ys.at(-1)!)

const crosses = (row: Rule, column: Rule): boolean =>
  column.at >= row.start - touch &&
  column.at <= row.end + touch &&
  row.at >= column.start - touch &&
  row.at <= column.end + touch

function buildGrid(rows: readonly Rule[], columns: readonly Rule[]): Grid | null {
  const ends = (rules: readonly Rule[]): number[] => rules.flatMap(({ start, end }) => [start, end])
  const xs = withoutSlits(
    listDistinctEdges([...columns.map(({ at }) => at), ...listOutermost(ends(rows))]),
    columns,
  )
  const ys = listDistinctEdges([...rows.map(({ at }) => at), ...listOutermost(ends(columns))]).reverse()
  const [width, height] = [xs.length - 1, ys.length - 1]
  if (width < 2 || height < 2 || width * height > maxCells) return null
  const owners = Array.from({ length: width * height }, (_, index) => index)
  const find = (index: number): number => {
    let owner = index
    while (owners[owner] !== owner) owner = owners[owner]!
    return owner
  }
  const join = (first: number, second: number): void => {
    const [a, b] = [find(first), find(second)]
    owners[Math.max(a, b)] = Math.min(a, b)
  }
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const index = row * width + column
      const [left, right, top, bottom] = [xs[column]!, xs[column + 1]!, ys[row]!, ys[row + 1]!]
      if (column + 1 < width && !isDrawn(columns, right, bottom, top)) join(index, index + 1)
      if (row + 1 < height && !isDrawn(rows, bottom, left, right)) join(index, index + width)
    }
  }
  return { xs, ys, owners: owners.map((_, index) => find(index)) }
}

const listOutermost = (positions: readonly number[]): number[] => [
  Math.min(...positions),
  Math.max(...positions),
]

/** Returns the different positions in ascending order. */
function listDistinctEdges(positions: readonly number[]): number[] {
  const edges: number[] = []
  for (const position of [...positions].sort((a, b) => a - b))
    if (edges.length === 0 || position - edges.at(-1)! > sameEdge) edges.push(position)
  return edges
}

/** Leaves out the shorter of two edges that are too close for a column between them. */
function withoutSlits(edges: readonly number[], rules: readonly Rule[]): number[] {
  const wideEnough: number[] = []
  const lengthAt = (edge: number): number =>
    rules.reduce((sum, { at, start, end }) => sum + (Math.abs(at - edge) <= touch ? end - start : 0), 0)
  for (const edge of edges) {
    const last = wideEnough.at(-1)
    if (last === undefined || edge - last > minColumnWidth) wideEnough.push(edge)
    else if (lengthAt(edge) > lengthAt(last)) wideEnough[wideEnough.length - 1] = edge
  }
  return wideEnough
}

function isDrawn(rules: readonly Rule[], at: number, start: number, end: number): boolean {
  const middle = (start + end) / 2
  return rules.some(
    rule =>
      Math.abs(rule.at - at) <= sameEdge &&
      rule.start <= middle &&
      rule.end >= middle &&
      Math.min(rule.end, end) - Math.max(rule.start, start) >= 0.6 * (end - start),
  )
}

/** Returns the number of the row of the grid, from the top, in which a line is; -1 outside. */
export function findRow({ ys }: Grid, { baseline, height }: Line): number {
  const middle = baseline + 0.3 * height
  return middle < ys.at(-1)! ? -1 : ys.findLastIndex(edge => edge >= middle)
}

/** Returns the number of the interval between ascending edges that contains a position; -1 outside. */
export function findBand(edges: readonly number[], position: number): number {
  return position > edges.at(-1)! ? -1 : edges.findLastIndex(edge => edge <= position)
}
