import {
  type CellGrid,
  countRows,
  createBounds,
  type GrowingBounds,
  makeRoom,
} from '../../score/table/cell-grid.ts'
import { matchAt } from '../../text/tool-calls/call-bodies.ts'

const spaces = '[ \\t\\n\\r]*'
const anySpaces = new RegExp(spaces, 'y')
const listStart = new RegExp(`\\[${spaces}(?=\\{)`, 'y')
const memberStart = new RegExp(`([{,])${spaces}"([^"]*)"${spaces}:${spaces}`, 'y')
const nextRow = new RegExp(`${spaces}\\}${spaces},${spaces}(?=\\{)`, 'y')
const listEnd = new RegExp(`${spaces}\\}${spaces}\\]`, 'y')
const literal = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=[ \t\n\r,}])/y
/** Characters that are not allowed in a JSON string, or that start an escape. */
const notPlain = /[\0-\x1f\\]/
const quote = 34

/** How the values of a grid are read. */
export interface JsonGridOptions {
  /** Converts a value that is not a string to text. */
  readonly literalText: (word: string) => string
  /** The text contains no control character, so strings need no check for them. */
  readonly withoutControls: boolean
}

/**
 * Reads a JSON list of flat objects as a grid, without creating the objects. Most tables have the form that it reads:
 * rows with the same members in the same order and the same spacing, and strings without escapes.
 *
 * @param start the position of the bracket of the list
 * @returns null for any other list and for invalid JSON, which must then be parsed
 */
export function readJsonGrid(
  text: string,
  start: number,
  { literalText, withoutControls }: JsonGridOptions,
): { readonly grid: CellGrid; readonly end: number } | null {
  const opening = matchAt(listStart, text, start)
  if (opening === null) return null
  const cells = createBounds()
  const first = readFirstRow(text, start + opening[0].length, cells, literalText)
  if (first === null) return null
  const behind = readOtherRows(text, first, cells, literalText)
  const closing = behind < 0 ? null : matchAt(listEnd, text, behind)
  if (closing === null) return null
  const end = behind + closing[0].length
  const { header } = first
  const grid = {
    header,
    rowCount: countRows(cells.used, header.length),
    text,
    bounds: cells.bounds,
    others: cells.others,
  }
  if (new Set(header).size < header.length || header.some(name => notPlain.test(name))) return null
  const backslash = text.indexOf('\\', start)
  if (backslash >= 0 && backslash < end) return null
  if (withoutControls || !notPlain.test(text.slice(start, end)) || hasPlainStrings(grid)) return { grid, end }
  return null
}

interface FirstRow {
  readonly header: string[]
  /** The text before each value. */
  readonly pieces: string[]
  /** The position after its last value. */
  readonly end: number
}

function readFirstRow(
  text: string,
  start: number,
  cells: GrowingBounds,
  literalText: (word: string) => string,
): FirstRow | null {
  const header: string[] = []
  const pieces: string[] = []
  let at = start
  for (;;) {
    const space = matchAt(anySpaces, text, at)?.[0] ?? ''
    const member = matchAt(memberStart, text, at + space.length)
    if (member === null) return header.length === 0 ? null : { header, pieces, end: at }
    if (member[1] !== (header.length === 0 ? '{' : ',')) return null
    at += space.length + member[0].length
    makeRoom(cells, 1)
    at = readString(text, at, cells) ?? readLiteral(text, at, cells, literalText)
    if (at < 0) return null
    header.push(member[2]!)
    pieces.push(space + member[0])
  }
}

/**
 * The position after the last value of the last row; negative when a row differs from the first in more than its
 * values.
 */
function readOtherRows(
  text: string,
  first: FirstRow,
  cells: GrowingBounds,
  literalText: (word: string) => string,
): number {
  const border = matchAt(nextRow, text, first.end)
  if (border === null) return first.end
  const pieces = [border[0] + first.pieces[0]!, ...first.pieces.slice(1)]
  let at = first.end
  while (text.startsWith(pieces[0]!, at)) {
    makeRoom(cells, pieces.length)
    for (let i = 0; i < pieces.length; i += 1) {
      const piece = pieces[i]!
      if (i > 0 && !text.startsWith(piece, at)) return -1
      at += piece.length
      at = readString(text, at, cells) ?? readLiteral(text, at, cells, literalText)
      if (at < 0) return -1
    }
  }
  return at
}

/** The position after the string at `at`; null when there is no string, negative when it does not end. */
function readString(text: string, at: number, cells: GrowingBounds): number | null {
  if (text.charCodeAt(at) !== quote) return null
  const close = text.indexOf('"', at + 1)
  if (close < 0) return -1
  cells.bounds[cells.used] = at + 1
  cells.bounds[cells.used + 1] = close
  cells.used += 2
  return close + 1
}

/** The position after the number, boolean or null at `at`; negative when there is none. */
function readLiteral(
  text: string,
  at: number,
  cells: GrowingBounds,
  literalText: (word: string) => string,
): number {
  const word = matchAt(literal, text, at)?.[0] ?? null
  if (word === null) return -1
  cells.bounds[cells.used] = ~cells.others.length
  cells.used += 2
  cells.others.push(literalText(word))
  return at + word.length
}

/** Whether all strings are free of control characters and escapes. Outside strings, line ends are allowed. */
function hasPlainStrings(grid: CellGrid): boolean {
  for (let i = 0; i < grid.rowCount * grid.header.length * 2; i += 2) {
    const start = grid.bounds[i]!
    if (start >= 0 && notPlain.test(grid.text.slice(start, grid.bounds[i + 1]!))) return false
  }
  return true
}
