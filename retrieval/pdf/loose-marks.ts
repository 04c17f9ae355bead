import { loweredText, raisedText } from '../html/raised.ts'
import type { Cell, Line } from './cells.ts'
import { isMark, minDropHeights } from './open-line.ts'

/** Lines are looked up by their baseline in strips of this many points. A mark is less far from its line. */
const stripHeight = 16

/** A mark begins at most this many line heights before its text ends. */
const maxOverlap = 0.2
/** Note marks and exponents. A letter is one only beside a figure: elsewhere it would join a word. */
const markText = /^(?:[\p{N}*†‡(),]{1,3}|\p{L})$/u

/**
 * Adds raised and lowered marks that a page draws apart from their text, such as the note marks of a table after all of
 * its figures, to the cell beside which they are printed.
 */
export function attachLooseMarks(lines: readonly Line[]): Line[] {
  const strips = new Map<number, number[]>()
  for (const [index, { baseline }] of lines.entries()) {
    const strip = Math.floor(baseline / stripHeight)
    strips.set(strip, [...(strips.get(strip) ?? []), index])
  }
  const attached = [...lines]
  const marks = new Set<number>()
  for (const [index, mark] of lines.entries()) {
    const [cell, ...others] = mark.cells
    if (cell === undefined || others.length > 0 || !markText.test(cell.text)) continue
    const strip = Math.floor(mark.baseline / stripHeight)
    const near = [strip - 1, strip, strip + 1].flatMap(at => strips.get(at) ?? [])
    for (const other of near) {
      const line = attached[other]!
      if (other === index || marks.has(other) || line.angle !== mark.angle) continue
      const at = line.cells.findIndex(beside => isBeside(line, beside, mark, cell))
      if (at === -1) continue
      const cells = line.cells.with(at, withMark(line.cells[at]!, cell, mark.baseline > line.baseline))
      attached[other] = { ...line, cells }
      marks.add(index)
      break
    }
  }
  return attached.filter((_line, index) => !marks.has(index))
}

function isBeside(line: Line, beside: Cell, mark: Line, cell: Cell): boolean {
  const rise = mark.baseline - line.baseline
  const gap = cell.left - beside.right
  if (mark.height >= line.height || gap < -maxOverlap * line.height) return false
  if (Math.abs(rise) < minDropHeights * line.height || !isMark(line, mark.height, rise, gap)) return false
  return /\d[)%]?$/.test(beside.text) || /\p{N}/u.test(cell.text)
}

function withMark(cell: Cell, mark: Cell, isRaised: boolean): Cell {
  const text = cell.text + (isRaised ? raisedText : loweredText)(cell.text, mark.text)
  return { ...cell, text, right: mark.right }
}
