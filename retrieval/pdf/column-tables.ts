import { type Cell, isValue, type Line, splitCell, valueCells } from './cells.ts'
import { isTabular } from './is-tabular.ts'
import { joinTableLines, type PlacedCell, type TableLine } from './join-lines.ts'
import type { Rule } from './rules.ts'

/** A table among the lines of a page, with the indices of its lines. */
export interface FoundTable {
  readonly lines: ReadonlySet<number>
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
/** Columns are at least this many line heights apart. */
const minGutterHeights = 0.3
/** A gap between columns that is wider than this, in line heights, divides a text. */
const minSplitHeights = 0.65
/** Lines of a head that extend over several columns. */
const maxHeadLines = 4
/** A longer text above a table, in characters, is its title. */
const maxHeadChars = 60
/** The last line of a head, and a further line of the last row, are closer to the table than this, in line heights. */
const [maxHeadDistance, maxTailDistance] = [2.2, 1.3]

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
  const seeds = rows.filter(({ cells }) => cells.length > 1)
  seeds.sort((first, second) => second.cells.length - first.cells.length)
  const tried = new Set<Row>()
  for (const seed of seeds) {
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

/** A line with its index among the lines in content order. */
interface Row extends Line {
  readonly index: number
}

/** Lines with common columns, from top to bottom. */
interface Region {
  readonly rows: readonly Row[]
  readonly columns: Column[]
}

function growRegion(rows: readonly Row[], seed: number, rules: readonly Rule[]): Region {
  const columns = rows[seed]!.cells.map(({ left, right }) => ({ left, right }))
  const below = growTo(rows, seed, columns, 'down')
  const region = below.rows
  for (const row of below.next) {
    if (!isTailLine(row, region.at(-1) ?? rows[seed]!, columns)) break
    region.push(row)
  }
  region.unshift(rows[seed]!)
  const above = growTo(rows, seed, columns, 'up')
  region.unshift(...above.rows.reverse())
  for (const row of above.next) {
    if (!isHeadLine(row, region[0]!, columns, rules)) break
    region.unshift(row)
  }
  return { rows: region, columns }
}

/**
 * Returns the lines of a table above or below one of its lines, and the lines behind them, the nearest first. Widens the
 * columns to the lines.
 */
function growTo(
  rows: readonly Row[],
  seed: number,
  columns: Column[],
  direction: 'up' | 'down',
): { readonly rows: Row[]; readonly next: readonly Row[] } {
  const region: Row[] = []
  /** Lines that belong to the table when a line with several cells follows. */
  const pending: Row[] = []
  const step = direction === 'up' ? -1 : 1
  let [single, wide, head, last] = [0, 0, 0, rows[seed]!]
  for (let at = seed + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at]!
    if (isBeside(row, columns)) continue
    if (distanceOf(row, last) > maxDistanceHeights) break
    last = row
    pending.push(row)
    const cells = fitCells(row, columns)
    const isHead = direction === 'up' && cells === null && wide === 0 && head < maxHeadLines && isHeadRow(row)
    if (isHead) head++
    else if (cells === null) wide++
    else if (cells.length === 1) single++
    if (wide > maxWideLines || single > maxSingleLines) break
    if (!isHead && (cells === null || cells.length === 1)) continue
    if (cells !== null) widenColumns(columns, row, cells)
    region.push(...pending.splice(0))
    single = wide = 0
  }
  return { rows: region, next: pending }
}

/** Returns the distance of two lines in line heights. */
function distanceOf(line: Line, other: Line): number {
  if (line.angle !== other.angle) return Number.POSITIVE_INFINITY
  return Math.abs(line.baseline - other.baseline) / Math.max(line.height, other.height)
}

/** Whether a line with texts over several columns is a part of a head and not the title of a table. */
function isHeadRow({ cells }: Line): boolean {
  return (
    cells.length > 1 &&
    !isTitle.test(cells[0]!.text) &&
    cells.every(({ text }) => text.length <= maxHeadChars)
  )
}

const isTitle =
  /^(?:table|tab\.|exhibit|figure|fig\.|chart|box|tableau|tabelle|tabla|表|图)\s*[\p{L}]?[-–.]?\d/iu

/** Whether a line above a table belongs to its head: it has one text over the columns of values. */
function isHeadLine(row: Line, below: Line, columns: readonly Column[], rules: readonly Rule[]): boolean {
  const [cell, ...others] = row.cells
  const [left, right] = [columns[0]!.left, columns.at(-1)!.right]
  const isRuledOff = rules.some(
    ({ at, start, end }) =>
      at < row.baseline &&
      at > below.baseline &&
      Math.min(end, right) - Math.max(start, left) > 0.8 * (right - left),
  )
  if (isRuledOff) return false
  if (cell === undefined || others.length > 0 || distanceOf(row, below) > maxHeadDistance) return false
  if (cell.text.length > maxHeadChars || isTitle.test(cell.text)) return false
  return cell.left >= columns[0]!.right && cell.right <= right + row.height
}

/** Whether a line below a table continues its last row: it has one text in a column of texts. */
function isTailLine(row: Line, above: Line, columns: readonly Column[]): boolean {
  const [cell, ...others] = row.cells
  if (cell === undefined || others.length > 0 || distanceOf(row, above) > maxTailDistance) return false
  return cell.left >= columns[0]!.right && !isValue(cell.text) && fitCells(row, columns) !== null
}

/** Whether a line is beside the columns: text to the left or right of a table. */
function isBeside({ cells }: Line, columns: readonly Column[]): boolean {
  const [left, right] = [columns[0]!.left, columns.at(-1)!.right]
  return cells.every(cell => cell.right <= left || cell.left >= right)
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
function widenColumns(columns: Column[], { height }: Line, cells: readonly Cell[]): void {
  for (const cell of cells) {
    const isNear = (other: Column): boolean =>
      Math.max(cell.left - other.right, other.left - cell.right) < minGutterHeights * height
    const column = columns.find(other => overlaps(cell, other)) ?? columns.find(isNear)
    if (column === undefined) columns.push({ left: cell.left, right: cell.right })
    else {
      column.left = Math.min(column.left, cell.left)
      column.right = Math.max(column.right, cell.right)
    }
  }
  columns.sort((first, second) => first.left - second.left)
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
  return joinTableLines(lines, { columns: width, left, right, rules, edges: columns })
}

function placeCells(row: Line, columns: readonly Column[]): PlacedCell[] {
  const placed: PlacedCell[] = []
  for (const cell of splitAtColumns(row, columns)) {
    const covered = columns.flatMap((column, at) => (overlaps(cell, column) ? [at] : []))
    const from = covered[0] ?? nearestColumn(cell, columns)
    placed.push({
      text: cell.text,
      left: cell.left,
      right: cell.right,
      from,
      to: covered.at(-1) ?? from,
    })
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
