import { type Cell, isValue, type Line, splitCell, valueCells } from './cells.ts'
import { isTabular } from './is-tabular.ts'
import { joinTableLines, type PlacedCell, type TableLine } from './join-lines.ts'
import type { Rule } from './rules.ts'

/** A table among the lines of a page: the lines from `start` to before `end`. */
export interface FoundTable {
  readonly start: number
  readonly end: number
  readonly rows: readonly (readonly string[])[]
}

/** The horizontal extent of a column, in points. */
interface Column {
  left: number
  right: number
}

/** Lines of one table are at most this many line heights apart. */
const maxDistanceHeights = 3.2
/** This many lines without several cells, or that fit no column, end a table. */
const [maxSingleLines, maxWideLines] = [8, 1]
/** A gap between columns that is wider than this, in line heights, divides a text. */
const minSplitHeights = 0.45
/** Lines of a head that extend over several columns. */
const maxHeadLines = 4

/** Finds the tables whose columns are known only by the places of their cells. */
export function findColumnTables(
  lines: readonly Line[],
  rulesAt: (angle: number) => readonly Rule[],
): FoundTable[] {
  const rows = lines.map(line => ({ ...line, cells: valueCells(line) }))
  const tables: FoundTable[] = []
  const search = (from: number, to: number): void => {
    const seed = fullestRow(rows, from, to)
    if (seed === -1) return
    const region = growRegion(rows, seed, from, to)
    const table = tableIn(region, rows, rulesAt(rows[seed]!.angle))
    search(from, table?.start ?? Math.max(region.start, from))
    if (table !== null) tables.push(table)
    search(table?.end ?? Math.max(region.end, seed + 1), to)
  }
  search(0, lines.length)
  return tables
}

function fullestRow(rows: readonly Line[], from: number, to: number): number {
  let best = -1
  for (let at = from; at < to; at++) {
    const cells = rows[at]!.cells.length
    if (cells > 1 && cells > (rows[best]?.cells.length ?? 1)) best = at
  }
  return best
}

interface Region {
  start: number
  end: number
  readonly columns: Column[]
}

function growRegion(rows: readonly Line[], seed: number, from: number, to: number): Region {
  const columns = rows[seed]!.cells.map(({ left, right }) => ({ left, right }))
  const region: Region = { start: seed, end: seed + 1, columns }
  let [single, wide] = [0, 0]
  for (let at = seed + 1; at < to && isNext(rows[at - 1]!, rows[at]!); at++) {
    const cells = fitCells(rows[at]!, columns)
    if (cells === null) wide++
    else if (cells.length === 1) single++
    if (wide > maxWideLines || single > maxSingleLines) break
    if (cells === null || cells.length === 1) continue
    widenColumns(columns, cells)
    region.end = at + 1
    single = wide = 0
  }
  single = wide = 0
  let head = 0
  for (let at = seed - 1; at >= from && isNext(rows[at]!, rows[at + 1]!); at--) {
    const cells = fitCells(rows[at]!, columns)
    const isHead =
      cells === null && rows[at]!.cells.length > 1 && at === region.start - 1 && head < maxHeadLines
    if (isHead) head++
    else if (cells === null) wide++
    else if (cells.length === 1) single++
    if (wide > maxWideLines || single > maxSingleLines) break
    if (!isHead && (cells === null || cells.length === 1)) continue
    if (cells !== null) widenColumns(columns, cells)
    region.start = at
    single = wide = 0
  }
  return region
}

function isNext(above: Line, below: Line): boolean {
  const distance = above.baseline - below.baseline
  const height = Math.max(above.height, below.height)
  return above.angle === below.angle && distance > -0.5 * height && distance <= maxDistanceHeights * height
}

/** Returns the cells of a line so that each covers at most one column; null when one covers several. */
function fitCells(row: Line, columns: readonly Column[]): Cell[] | null {
  const parts = splitAtColumns(row, columns)
  return parts.some(part => columns.filter(column => overlaps(part, column)).length > 1) ? null : parts
}

const overlaps = (cell: Column, column: Column): boolean =>
  cell.left < column.right && column.left < cell.right

/**
 * Returns the cells of a line, split between columns when values are on a side of the gap, as in `16,782 156.6`, or when the
 * gap is wider than a space.
 */
function splitAtColumns({ cells, height }: Line, columns: readonly Column[]): Cell[] {
  const minGap = cells.length > 1 ? minSplitHeights * height : Number.POSITIVE_INFINITY
  const split = (cell: Cell): Cell[] => {
    for (const [at, column] of columns.entries()) {
      const next = columns[at + 1]
      if (next === undefined || cell.left >= column.right || cell.right <= next.left) continue
      const gap = cell.gaps.findLast(({ left, right }) => left < next.left && right > column.right)
      if (gap === undefined) continue
      const [before, after] = splitCell(cell, gap)
      const hasValue = isValue(after.text.split(' ', 1)[0]!) || isValue(before.text)
      if (hasValue || gap.right - gap.left > minGap) return [before, ...split(after)]
    }
    return [cell]
  }
  return cells.flatMap(split)
}

/** Widens the columns to the cells of a line. A cell between columns is a new column. */
function widenColumns(columns: Column[], cells: readonly Cell[]): void {
  for (const cell of cells) {
    const column = columns.find(other => overlaps(cell, other))
    if (column === undefined) columns.push({ left: cell.left, right: cell.right })
    else {
      column.left = Math.min(column.left, cell.left)
      column.right = Math.max(column.right, cell.right)
    }
  }
  columns.sort((first, second) => first.left - second.left)
  for (let at = columns.length - 1; at > 0; at--) {
    if (columns[at - 1]!.right <= columns[at]!.left) continue
    columns[at - 1]!.right = Math.max(columns[at - 1]!.right, columns[at]!.right)
    columns.splice(at, 1)
  }
}

function tableIn(region: Region, rows: readonly Line[], rules: readonly Rule[]): FoundTable | null {
  const { columns } = region
  const [start, end] = [withHead(region, rows), withTail(region, rows)]
  const placed: TableLine[] = rows.slice(start, end).map(row => ({
    ...{ baseline: row.baseline, height: row.height },
    cells: placeCells(row, columns),
  }))
  const merged = mergeColumns(placed, columns)
  const width = columns.length
  if (!isTabular(merged, width, rules)) return null
  const [left, right] = [columns[0]!.left, columns.at(-1)!.right]
  return { start, end, rows: joinTableLines(merged, { columns: width, left, right, rules, edges: columns }) }
}

/** Returns the first line of a table: lines of a head with one text over the columns of values belong to it. */
function withHead({ start, columns }: Region, rows: readonly Line[]): number {
  let first = start
  while (first > 0 && start - first < maxHeadLines) {
    const [above, below] = [rows[first - 1]!, rows[first]!]
    const [cell, ...others] = above.cells
    const isNear = isNext(above, below) && above.baseline - below.baseline < 1.6 * below.height
    if (cell === undefined || others.length > 0 || !isNear || cell.left < columns[0]!.right) break
    if (cell.right > columns.at(-1)!.right + below.height) break
    first--
  }
  return first
}

/** Returns the end of a table. Its last cells may continue on further lines. */
function withTail({ end, columns }: Region, rows: readonly Line[]): number {
  let last = end
  while (last < rows.length) {
    const [above, below] = [rows[last - 1]!, rows[last]!]
    const [cell, ...others] = below.cells
    const isNear = isNext(above, below) && above.baseline - below.baseline < 1.3 * below.height
    if (cell === undefined || others.length > 0 || !isNear || fitCells(below, columns) === null) break
    if (cell.left < columns[0]!.right || isValue(cell.text)) break
    last++
  }
  return last
}

function placeCells(row: Line, columns: readonly Column[]): PlacedCell[] {
  const placed: PlacedCell[] = []
  for (const cell of splitAtColumns(row, columns)) {
    const covered = columns.flatMap((column, at) => (overlaps(cell, column) ? [at] : []))
    const from = covered[0] ?? nearestColumn(cell, columns)
    placed.push({ text: cell.text, left: cell.left, right: cell.right, from, to: covered.at(-1) ?? from })
  }
  return placed
}

function nearestColumn({ left, right }: Column, columns: readonly Column[]): number {
  const distances = columns.map(column => Math.max(left - column.right, column.left - right))
  return distances.indexOf(Math.min(...distances))
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
