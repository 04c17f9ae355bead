/** A piece of a line with a wide gap on either side: a table's cell, or a whole line of prose. */
export interface Cell {
  readonly text: string
  readonly left: number
  readonly right: number
}

/** A printed line in the reading direction's own coordinates: x to the right, y upward, in points. */
export interface Line {
  readonly cells: readonly Cell[]
  readonly baseline: number
  readonly height: number
  /** Degrees that the text is turned by; lines of different angles share no row. */
  readonly angle: number
}

/** Lines beside each other are a header or a note, whatever their width, up to this many; more must be narrow. */
const shortStack = 4
/** A taller stack is a table's column when its lines are no wider than this share of the page and this short. */
const columnWidthShare = 0.25
const columnChars = 24
const alignedShare = 0.8

/**
 * A page's lines, given in content order, as text: one printed row a line, cells apart by a tab. Lines that PDF
 * producers emit out of turn (a header cell by cell, a table column by column) are put back on the row they stand
 * on; columns of prose stay one after the other. What lies over the page, such as a form's values, comes as `overlay`.
 */
export function layoutText(lines: readonly Line[], overlay: readonly Line[] = []): string {
  const rows = joinRows(lines)
  for (const line of overlay) place(line, rows)
  return rows.map(rowText).join('\n')
}

/** Puts a line that belongs to no content order on the row it stands level with, or else above what is below it. */
function place(line: Line, rows: Line[]): void {
  const at = rows.findIndex(row => sharesRow(line, row))
  const row = rows[at]
  if (row !== undefined) rows[at] = withCells(row, line)
  else {
    const isBelow = (other: Line): boolean => other.angle === line.angle && other.baseline < line.baseline
    const inColumn = rows.findIndex(other => isBelow(other) && overlaps(line, other))
    const below = inColumn === -1 ? rows.findIndex(isBelow) : inColumn
    rows.splice(below === -1 ? rows.length : below, 0, line)
  }
}

function withCells(row: Line, line: Line): Line {
  return { ...row, cells: [...row.cells, ...line.cells].sort((a, b) => a.left - b.left) }
}

function joinRows(lines: readonly Line[]): Line[] {
  const rows: Line[] = []
  const pageWidth = widthOf(lines.flatMap(line => line.cells))
  let index = 0
  while (index < lines.length) {
    const line = lines[index]!
    const previous = rows.at(-1)
    const tail = previous !== undefined && goesUp(line, previous) ? tailBeside(line, rows) : []
    const stack = tail.length === 0 ? [] : stackBeside(lines, index, tail)
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

/** The last rows that stand no higher than the line. */
function tailBeside(line: Line, rows: readonly Line[]): Line[] {
  let start = rows.length
  while (start > 0) {
    const row = rows[start - 1]!
    const below = row.angle === line.angle && row.baseline <= line.baseline + 0.3 * line.height
    if (!below || (start < rows.length && row.baseline < rows[start]!.baseline)) break
    start--
  }
  return rows.slice(start)
}

/** The lines from `index` on that go down the page and end no lower than the tail. */
function stackBeside(lines: readonly Line[], index: number, tail: readonly Line[]): Line[] {
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
  if (stack.length <= shortStack && tail.length <= shortStack) return aligned.length * 2 >= stack.length
  const narrow = stack.filter(
    line => widthOf(line.cells) <= columnWidthShare * pageWidth && rowText(line).length <= columnChars,
  )
  return (
    aligned.length >= alignedShare * stack.length &&
    (narrow.length >= alignedShare * stack.length || stack.every(line => line.cells.length > 1))
  )
}

function interleave(tail: readonly Line[], stack: readonly Line[]): Line[] {
  const rows = [...tail]
  for (const line of stack) {
    const at = rows.findIndex(row => sharesRow(line, row))
    const row = rows[at]
    if (row === undefined) {
      const below = rows.findIndex(other => other.baseline < line.baseline)
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
  return line.cells.some(cell => row.cells.some(other => cell.left < other.right && other.left < cell.right))
}

function widthOf(cells: readonly Cell[]): number {
  let left = Number.POSITIVE_INFINITY
  let right = Number.NEGATIVE_INFINITY
  for (const cell of cells) {
    left = Math.min(left, cell.left)
    right = Math.max(right, cell.right)
  }
  return Math.max(0, right - left)
}

const opensValue = /^[$€£¥￥₩(]+$/
const closesValue = /^[)%]+$/
const trailingSign = /^(.*\S) ([$€£¥￥₩])$/
const valueThenSign = /(\d\)?|[—–%-]) ([$€£¥￥₩]) ?(?=[\d(—–-])/g

/** A currency sign stands apart from its number in most statements, yet belongs to the number after it. */
function rowText(line: Line): string {
  let text = ''
  let glue = ''
  for (const cell of line.cells) {
    text += closesValue.test(cell.text) && glue === '\t' ? ` ${cell.text}` : glue + cell.text
    glue = '\t'
    if (opensValue.test(cell.text)) glue = ' '
    else if (line.cells.length > 2 && cell !== line.cells.at(-1) && trailingSign.test(cell.text)) {
      text = text.replace(/ (\S+)$/, '\t$1')
      glue = ' '
    }
  }
  return line.cells.length > 2 ? text.replace(valueThenSign, '$1\t$2 ') : text
}
