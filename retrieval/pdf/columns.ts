import { type Cell, isValue, type Line, splitCell } from './cells.ts'
import type { PlacedCell } from './table-lines.ts'

/** The horizontal extent of a column, in points. */
export interface Column {
  left: number
  right: number
}

/** Columns are at least this many line heights apart. */
const minGutterHeights = 0.3
/** A gap between columns that is wider than this, in line heights, divides a text. */
const minSplitHeights = 0.65
/** Texts that begin at most this far apart, in points, begin at one edge. */
const sameEdge = 1.5
/** A line with at least this many cells is not prose: its cells may be longer than their columns. */
const minOverreachCells = 3

/** Returns the cells of a line with the columns that they cover. A cell between columns belongs to the nearest one. */
export function placeCells(row: Line, columns: readonly Column[]): PlacedCell[] {
  const cells = splitAtColumns(row, columns)
  return cells.map(({ text, left, right }) => {
    const cell = { left, right }
    const [from, to] = findCoveredColumns(cell, columns, cells.length > 1)
    const reachesOver = from < to && cells.length >= minOverreachCells && beginsAt(cell, columns[from]!)
    return { text, left, right, from, to: reachesOver ? from : to }
  })
}

/**
 * Returns the first and the last column that a cell covers. When it only reaches into columns, it is in the one nearest to its
 * middle.
 *
 * @param hasOthers whether the line has further cells. A line with one long cell is prose.
 */
function findCoveredColumns(
  cell: Column,
  columns: readonly Column[],
  hasOthers: boolean,
): [from: number, to: number] {
  const first = columns.findIndex(column => overlaps(cell, column))
  if (first === -1) {
    const nearest = findNearestColumn(cell, columns)
    return [nearest, nearest]
  }
  const last = columns.findLastIndex(column => overlaps(cell, column))
  if (first === last || !hasOthers) return [first, last]
  const covers = (column: Column): boolean => {
    const shared = Math.min(cell.right, column.right) - Math.max(cell.left, column.left)
    return 2 * shared >= Math.min(cell.right - cell.left, column.right - column.left)
  }
  const from = columns.findIndex(covers)
  if (from !== -1) return [from, columns.findLastIndex(covers)]
  const middle = (cell.left + cell.right) / 2
  const nearest = findNearestColumn({ left: middle, right: middle }, columns)
  return [nearest, nearest]
}

/** Whether a cell begins where a column does. When it is too long, it belongs to this column alone. */
function beginsAt(cell: Column, column: Column): boolean {
  return Math.abs(cell.left - column.left) <= sameEdge
}

const overlaps = (cell: Column, column: Column): boolean =>
  cell.left < column.right && column.left < cell.right

/**
 * Returns the cells of a line, split between columns when values are on a side of the gap, as in `16,782 156.6`, or when the
 * gap is wider than a space.
 */
function splitAtColumns({ cells, height }: Line, columns: readonly Column[]): Cell[] {
  const isOneText = cells.length === 1
  const minGap = isOneText ? Number.POSITIVE_INFINITY : minSplitHeights * height
  const split = (cell: Cell): Cell[] => {
    if (cell.gaps.length === 0) return [cell]
    for (const [at, column] of columns.entries()) {
      const next = columns[at + 1]
      if (next === undefined || cell.left >= column.right || cell.right <= next.left) continue
      const gap = cell.gaps.findLast(({ left, right }) => left < next.left && right > column.right)
      if (gap === undefined) continue
      const [before, after] = splitCell(cell, gap)
      const words = after.text.split(' ')
      const hasValue = isValue(before.text) || (isOneText ? words.every(isValue) : isValue(words[0]!))
      if (hasValue || gap.right - gap.left > minGap) return [before, ...split(after)]
    }
    return [cell]
  }
  const parts = cells.flatMap(split)
  const isAtEdge = ({ left, right }: Cell): boolean =>
    columns.some(
      column => Math.abs(column.left - left) <= sameEdge || Math.abs(column.right - right) <= sameEdge,
    )
  const areValues = parts.every(({ text }) => isValue(text))
  // A sentence with a number at its end is not a row.
  const isRow = parts.length >= Math.min(columns.length, minOverreachCells) && parts.slice(1).every(isAtEdge)
  if (isOneText && !areValues && !isRow) return [...cells]
  return parts
}

/**
 * Widens the columns to the cells of a line. A cell between columns is a new column. A cell that reaches over further columns widens
 * none.
 */
export function widenColumns(columns: Column[], { height }: Line, cells: readonly Column[]): void {
  for (const cell of cells) {
    if (columns.filter(column => overlaps(cell, column)).length > 1) continue
    const isNear = (candidate: Column): boolean =>
      Math.max(cell.left - candidate.right, candidate.left - cell.right) < minGutterHeights * height
    const column = columns.find(candidate => overlaps(cell, candidate)) ?? columns.find(isNear)
    if (column === undefined) columns.push({ left: cell.left, right: cell.right })
    else {
      column.left = Math.min(column.left, cell.left)
      column.right = Math.max(column.right, cell.right)
    }
  }
  columns.sort((first, second) => first.left - second.left)
}

function findNearestColumn({ left, right }: Column, columns: readonly Column[]): number {
  const distances = columns.map(column => Math.max(left - column.right, column.left - right))
  return distances.indexOf(Math.min(...distances))
}

/**
 * Places the cells of a line in their columns. Joins the columns that a value covers when no other line has a cell in each of
 * them: parts of a head, or values at different edges.
 *
 * @param others returns the lines whose cells made the columns
 * @returns null when a cell covers several columns
 */
export function fitCells(
  row: Line,
  columns: Column[],
  linesOfColumns: () => readonly Line[],
): PlacedCell[] | null {
  const cells = placeCells(row, columns)
  if (cells.every(({ from, to }) => from === to)) return cells
  let isJoined = false
  for (const { from, to, text } of cells.toReversed()) {
    if (from === to || !isValue(text)) continue
    const areDivided = linesOfColumns().some(line => {
      const inside = placeCells(line, columns).filter(cell => cell.from >= from && cell.to <= to)
      return new Set(inside.map(cell => cell.from)).size > 1
    })
    if (areDivided) continue
    columns.splice(from, to - from + 1, { left: columns[from]!.left, right: columns[to]!.right })
    isJoined = true
  }
  return isJoined ? fitCells(row, columns, linesOfColumns) : null
}
