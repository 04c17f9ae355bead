import { type Line, writeRow } from './cells.ts'

/** A stack of at most this many lines beside other lines may be a header or a note of any width. */
const maxShortStack = 4
/** The lines of a taller stack form a column of a table when they are this narrow, this short and this well aligned. */
const maxColumnWidthShare = 0.25
const maxColumnChars = 24
const minAlignedShare = 0.8

/** Adds a line of the overlay to the row at its height, or inserts it above the rows below it. */
export function placeOverlay(line: Line, rows: Line[]): void {
  const at = rows.findIndex(row => !('rows' in row) && sharesRow(line, row))
  const row = rows[at]
  if (row !== undefined) rows[at] = withCells(row, line)
  else {
    const isBelow = (row: Line): boolean => row.angle === line.angle && row.baseline < line.baseline
    const inColumn = rows.findIndex(candidate => isBelow(candidate) && overlaps(line, candidate))
    const below = inColumn === -1 ? rows.findIndex(isBelow) : inColumn
    rows.splice(below === -1 ? rows.length : below, 0, line)
  }
}

function withCells(row: Line, line: Line): Line {
  return { ...row, cells: [...row.cells, ...line.cells].sort((a, b) => a.left - b.left) }
}

/**
 * Joins lines that are printed on one row. Some programs write a header cell by cell or a table column by column. Columns of
 * prose follow each other.
 *
 * @param lines the lines in content order
 */
export function joinRows(lines: readonly Line[]): Line[] {
  const rows: Line[] = []
  const pageWidth = computeTotalWidth(lines)
  let index = 0
  while (index < lines.length) {
    const line = lines[index]!
    const previous = rows.at(-1)
    const tail = previous !== undefined && goesUp(line, previous) ? findTailBeside(line, rows) : []
    const stack = tail.length === 0 ? [] : findStackBeside(lines, index, tail)
    if (stack.length > 0 && isSameTable(stack, tail, pageWidth)) {
      rows.splice(rows.length - tail.length, tail.length, ...interleave(tail, stack))
      index += stack.length
    } else {
      rows.push(line)
      index++
    }
  }
  return rows
}

function goesUp(line: Line, previous: Line): boolean {
  return line.angle === previous.angle && line.baseline > previous.baseline - 0.3 * line.height
}

/** Returns the last rows that are not above the line. */
function findTailBeside(line: Line, rows: readonly Line[]): Line[] {
  let start = rows.length
  while (start > 0) {
    const row = rows[start - 1]!
    const below = row.angle === line.angle && row.baseline <= line.baseline + 0.3 * line.height
    if (!below || (start < rows.length && row.baseline < rows[start]!.baseline)) break
    start--
  }
  return rows.slice(start)
}

/** Returns the lines from `index` on that continue down the page and end no lower than the tail. */
function findStackBeside(lines: readonly Line[], index: number, tail: readonly Line[]): Line[] {
  const bottom = tail.at(-1)!.baseline
  const stack: Line[] = []
  for (const line of lines.slice(index)) {
    const last = stack.at(-1)
    if (line.baseline < bottom - 0.3 * line.height) break
    if (last !== undefined && goesUp(line, last)) break
    stack.push(line)
  }
  return stack
}

function isSameTable(stack: readonly Line[], tail: readonly Line[], pageWidth: number): boolean {
  const aligned = stack.filter(line => tail.some(row => sharesRow(line, row)))
  if (stack.some(line => tail.some(row => isLevel(line, row) && overlaps(line, row)))) return false
  if (stack.length <= maxShortStack && tail.length <= maxShortStack) return aligned.length * 2 >= stack.length
  const narrow = stack.filter(
    line =>
      computeTotalWidth([line]) <= maxColumnWidthShare * pageWidth && writeRow(line).length <= maxColumnChars,
  )
  return (
    aligned.length >= minAlignedShare * stack.length &&
    (narrow.length >= minAlignedShare * stack.length || stack.every(line => line.cells.length > 1))
  )
}

function interleave(tail: readonly Line[], stack: readonly Line[]): Line[] {
  const rows = [...tail]
  for (const line of stack) {
    const at = rows.findIndex(row => sharesRow(line, row))
    const row = rows[at]
    if (row === undefined) {
      const below = rows.findIndex(candidate => candidate.baseline < line.baseline)
      rows.splice(below === -1 ? rows.length : below, 0, line)
    } else {
      rows[at] = withCells(row, line)
    }
  }
  return rows
}

function sharesRow(line: Line, row: Line): boolean {
  return isLevel(line, row) && !overlaps(line, row)
}

function isLevel(line: Line, row: Line): boolean {
  return (
    line.angle === row.angle &&
    Math.abs(line.baseline - row.baseline) <= 0.3 * Math.min(line.height, row.height)
  )
}

function overlaps(line: Line, row: Line): boolean {
  return line.cells.some(cell =>
    row.cells.some(rowCell => cell.left < rowCell.right && rowCell.left < cell.right),
  )
}

function computeRange(lines: readonly Line[]): { readonly left: number; readonly right: number } {
  let left = Number.POSITIVE_INFINITY
  let right = Number.NEGATIVE_INFINITY
  for (const { cells } of lines) {
    for (const cell of cells) {
      left = Math.min(left, cell.left)
      right = Math.max(right, cell.right)
    }
  }
  return { left, right }
}

function computeTotalWidth(lines: readonly Line[]): number {
  const { left, right } = computeRange(lines)
  return Math.max(0, right - left)
}
