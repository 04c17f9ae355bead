/** A space between two words: its index in the text of its cell, and its edges in points. */
export interface Gap {
  readonly at: number
  readonly left: number
  readonly right: number
}

/** A piece of a line between wide gaps: a cell of a table, or a whole line of prose. Positions are in points. */
export interface Cell {
  readonly text: string
  readonly left: number
  readonly right: number
  /** The spaces in the text, from left to right. */
  readonly gaps: readonly Gap[]
}

/** A printed line. Its coordinates follow the reading direction: x to the right, y upward, in points. */
export interface Line {
  readonly cells: readonly Cell[]
  readonly baseline: number
  readonly height: number
  /** The rotation of the text in degrees. Lines of different angles never share a row. */
  readonly angle: number
  /** Whether the line lies over the page, such as the value of a form. */
  readonly isOverlay?: boolean
}

const sign = '[$€£¥￥₩]'
const opensValue = new RegExp(`^(?:${sign}|\\()+$`)
const closesValue = /^[)%]+$/
const endsValue = /(?:\d\)?|[—–%-])$/
const isSign = new RegExp(`^${sign}$`)
const startsWithSign = new RegExp(`^${sign} ?[\\d(—–-]`)
const value = /^(?:[^\p{L}]*\d[^\p{L}]*(?:\^?\p{L}{1,2})?|[-–—−.…*†‡§#+]+|n\.?\/?a\.?|x{1,3})$/iu

/** Whether a text is a number, a date in digits, a dash, or another sign in place of a number. */
export function isValue(text: string): boolean {
  return value.test(text)
}

const bullet = /^(?:[•●○■□▪–—*-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]+)$/iu

/** Whether a text is the mark or the number of an item of a list. */
export function isBullet(text: string): boolean {
  return bullet.test(text)
}

/** Splits a cell at one of its spaces. */
export function splitCell(cell: Cell, gap: Gap): [Cell, Cell] {
  const { at } = gap
  const before = cell.gaps.filter(space => space.at < at)
  const after = cell.gaps.filter(space => space.at > at)
  return [
    { text: cell.text.slice(0, at), left: cell.left, right: gap.left, gaps: before },
    {
      text: cell.text.slice(at + 1),
      left: gap.right,
      right: cell.right,
      gaps: after.map(space => ({ ...space, at: space.at - at - 1 })),
    },
  ]
}

/** Joins two cells of a line by a space. */
export function joinCells(first: Cell, second: Cell): Cell {
  const at = first.text.length
  const gap = { at, left: first.right, right: second.left }
  const after = second.gaps.map(space => ({ ...space, at: space.at + at + 1 }))
  return {
    text: `${first.text} ${second.text}`,
    gaps: [...first.gaps, gap, ...after],
    left: Math.min(first.left, second.left),
    right: Math.max(first.right, second.right),
  }
}

/**
 * Returns the cells of a line with each value in one cell. A gap often separates a currency sign from its number, and a number from the
 * percent sign or bracket behind it; they are joined.
 */
export function splitByValues({ cells }: Line): Cell[] {
  const split = cells.length > 2 ? cells.flatMap(splitValues) : cells
  const joined: Cell[] = []
  for (const cell of split) {
    const last = joined.at(-1)
    if (last !== undefined && (opensValue.test(last.text) || closesValue.test(cell.text)))
      joined[joined.length - 1] = joinCells(last, cell)
    else joined.push(cell)
  }
  return joined
}

function splitValues(cell: Cell): Cell[] {
  for (const gap of cell.gaps) {
    const [before, after] = splitCell(cell, gap)
    const isBeforeSign =
      isSign.test(after.text) || (startsWithSign.test(after.text) && endsValue.test(before.text))
    if (isBeforeSign) return [before, ...splitValues(after)]
  }
  return [cell]
}

/** Writes a line that belongs to no table, with tabs between its cells. */
export function writeRow(line: Line): string {
  return splitByValues(line)
    .map(cell => cell.text)
    .join('\t')
}

/** Boxes of characters that are higher than this, in type sizes, say nothing about the distance of lines. */
const maxBoxHeight = 1.8
/** The height of a line in type sizes. */
const usualHeight = 1.25
const wideSigns = /[\u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60]/g

/**
 * Returns a line with a usual height when the boxes of its font are far higher than its type, as in many Chinese fonts. The
 * size of the type follows from the width of the text: Chinese signs are as wide as high, other signs half as wide.
 */
export function correctHeight(line: Line): Line {
  let [width, signs] = [0, 0]
  for (const { text, left, right } of line.cells) {
    width += right - left
    signs += text.length / 2 + (text.match(wideSigns)?.length ?? 0) / 2
  }
  const size = width / Math.max(1, signs)
  return signs > 0 && line.height > maxBoxHeight * size ? { ...line, height: usualHeight * size } : line
}
