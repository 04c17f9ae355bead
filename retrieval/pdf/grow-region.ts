import { isValue, type Line } from './cells.ts'
import { type Column, fitCells, placeCells, widenColumns } from './columns.ts'
import type { Rule } from './rules.ts'
import { continuesText, hasOnlyYears, isRecord, isRuledOff, type PlacedCell } from './table-lines.ts'

/** Lines of one table are at most this many line heights apart. */
const maxDistanceHeights = 3.2
/** This many lines without several cells, or that fit no column, end a table. */
const [maxSingleLines, maxWideLines] = [8, 1]
/** Lines of a head that extend over several columns. */
const maxHeadLines = 4
/** A longer text above a table, in characters, is its title. */
const maxHeadChars = 60
/** The last line of a head, and a further line of the last row, are closer to the table than this, in line heights. */
const [maxHeadDistance, maxTailDistance] = [2.2, 1.3]

/** A line with its index among the lines in content order. */
export interface Row extends Line {
  readonly index: number
}

/** Lines with common columns, from top to bottom. */
export interface Region {
  readonly rows: readonly Row[]
  readonly columns: Column[]
}

/** Where to look for further lines of a table. */
interface Growth {
  readonly direction: 'up' | 'down'
  readonly rules: readonly Rule[]
  /** The lines in the other direction. */
  readonly others: readonly Row[]
}

/** Returns the lines that have cells in the columns of one of them, with the lines of their head and of their last row. */
export function growRegion(rows: readonly Row[], seed: number, rules: readonly Rule[]): Region {
  const columns = rows[seed]!.cells.map(({ left, right }) => ({ left, right }))
  const below = growTo(rows, seed, columns, { direction: 'down', rules, others: [] })
  const region = below.rows
  for (const row of below.next) {
    if (!isTailLine(row, region.at(-1) ?? rows[seed]!, columns)) break
    region.push(row)
  }
  region.unshift(rows[seed]!)
  const above = growTo(rows, seed, columns, { direction: 'up', rules, others: below.rows })
  region.unshift(...above.rows.reverse())
  // Cells over each other may leave one column.
  if (columns.length < 2) return { rows: region, columns }
  for (const row of above.next) {
    if (!isHeadLine(row, region[0]!, columns, rules) && !beginsLabel(row, region[0]!, columns)) break
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
  { direction, rules, others }: Growth,
): { readonly rows: Row[]; readonly next: readonly Row[] } {
  const region: Row[] = []
  /** Lines that belong to the table when a line with several cells follows. */
  const pending: Row[] = []
  const step = direction === 'up' ? -1 : 1
  let [single, wide, head, last] = [0, 0, 0, rows[seed]!]
  /** What is between the last two rules over the whole table. A rule above a head is the upper edge of the table. */
  let band: 'labels' | 'head' | 'data' = isData(placeCells(last, columns)) ? 'data' : 'head'
  let endsWithYears = false
  for (let at = seed + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at]!
    if (isBeside(row, columns)) continue
    if (computeLineDistance(row, last) > maxDistanceHeights) break
    const cells = fitCells(row, columns, () => [rows[seed]!, ...others, ...region])
    const hasData = isData(cells)
    const isYears = cells !== null && cells.length > 1 && hasOnlyYears({ cells })
    // A title between data and the years of a head divides two tables.
    if (pending.length > 0 && (direction === 'down' ? isYears : hasData && endsWithYears)) break
    if (direction === 'up' && isRuledOffBy(rules, columns, row, last)) {
      if (band === 'head' && !hasData) break
      band = 'labels'
    }
    if (hasData) band = 'data'
    else if (band === 'labels' && (cells === null || cells.some(cell => cell.from > 0))) band = 'head'
    last = row
    pending.push(row)
    const isHead = direction === 'up' && cells === null && wide === 0 && head < maxHeadLines && isHeadRow(row)
    if (isHead) head++
    else if (cells === null) wide++
    else if (cells.length === 1) single++
    if (wide > maxWideLines || single > maxSingleLines) break
    if (!isHead && (cells === null || cells.length === 1)) continue
    if (cells !== null) widenColumns(columns, row, cells)
    region.push(...pending.splice(0))
    single = wide = 0
    endsWithYears = isYears
  }
  return { rows: region, next: pending }
}

/** Returns the distance of two lines in line heights. */
function computeLineDistance(line: Line, second: Line): number {
  if (line.angle !== second.angle) return Number.POSITIVE_INFINITY
  return Math.abs(line.baseline - second.baseline) / Math.max(line.height, second.height)
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

const isUnit =
  /^\(?(?:units?\b|(?:(?:amounts|figures|expressed|stated) )?in (?:[a-z]{2,3} )?(?:hundred|thousand|million|billion|crore|lakh)s?\b|(?:金额)?单位|單位|単位)/iu

/** Whether the cells of a line are a row of data: a label and values that are not the years of a head. */
function isData(cells: readonly PlacedCell[] | null): boolean {
  return cells !== null && isRecord({ cells }) && !hasOnlyYears({ cells })
}

/** Whether rules divide two lines of a table with the given columns. */
function isRuledOffBy(rules: readonly Rule[], columns: readonly Column[], above: Line, below: Line): boolean {
  const [{ left }, { right }] = [columns[0]!, columns.at(-1)!]
  return isRuledOff(above, below, { columns: columns.length, left, right, rules, edges: columns })
}

/** Whether a line above a table belongs to its head: it has one text over the columns of values. */
function isHeadLine(row: Line, below: Line, columns: readonly Column[], rules: readonly Rule[]): boolean {
  const [cell, ...furtherCells] = row.cells
  const [{ left }, { right }] = [columns[0]!, columns.at(-1)!]
  if (isRuledOffBy(rules, columns, row, below)) return false
  if (cell === undefined || furtherCells.length > 0 || computeLineDistance(row, below) > maxHeadDistance)
    return false
  if (cell.text.length > maxHeadChars || isTitle.test(cell.text) || isUnit.test(cell.text)) return false
  if (cell.left < columns[0]!.right || cell.right > right + row.height) return false
  const isCentredOn = (from: number): boolean =>
    Math.abs((cell.left + cell.right) / 2 - (from + right) / 2) <= row.height
  return !isCentredOn(left) || isCentredOn(columns[1]!.left)
}

/** Whether a line above a table is the first line of the label below it. */
function beginsLabel(row: Row, below: Line, columns: readonly Column[]): boolean {
  const [cell, ...furtherCells] = row.cells
  const label = below.cells[0]!
  if (cell === undefined || furtherCells.length > 0 || computeLineDistance(row, below) > maxTailDistance)
    return false
  const isLabel = cell.left <= label.left && cell.right <= columns[1]!.left
  return isLabel && /^\p{Ll}/u.test(label.text) && continuesText(cell.text, label.text)
}

/**
 * Whether a line below a table continues its last row: it has one text in a column of texts, or the value that the row
 * lacks.
 */
function isTailLine(row: Row, above: Line, columns: readonly Column[]): boolean {
  const [cell, ...furtherCells] = placeCells(row, columns)
  if (cell === undefined || furtherCells.length > 0 || computeLineDistance(row, above) > maxTailDistance)
    return false
  if (cell.left < columns[0]!.right || cell.from !== cell.to) return false
  return (
    !isValue(cell.text) ||
    placeCells(above, columns).every(({ from, to }) => from > cell.to || to < cell.from)
  )
}

/** Whether a line is beside the columns: text to the left or right of a table. */
function isBeside({ cells }: Line, columns: readonly Column[]): boolean {
  const [left, right] = [columns[0]!.left, columns.at(-1)!.right]
  return cells.every(cell => cell.right <= left || cell.left >= right)
}
