import { appendLowered, endsWithNumerator, writeLowered, writeRaised } from '../html/raised.ts'
import type { Cell, Gap, Line } from './cells.ts'
import type { Box, PageCharacters } from './page-characters.ts'

/** Raised and lowered text is smaller than this share of the line's height, unless it is a raised number. */
const smallHeights = 0.87
/** The least rise and drop of raised and lowered text, in line heights. */
const minRiseHeights = 0.12
export const minDropHeights = 0.08
/** The least and largest rise of a raised number in the size of its line. */
const [minNumberRise, maxNumberRise] = [0.2, 0.6]
/** Raised and lowered text follows its word within this many line heights. */
const maxMarkGapHeights = 0.3
const endsWithNumeratorAndStroke = /[⁰¹²³⁴-⁹]\u2044$/u
/** How a character stands: on the baseline of its line, or as superscript or subscript. */
export type Level = 'base' | 'raised' | 'lowered'

/** A line that is not complete yet. `text` is its last cell, which begins at `left`. */
export interface OpenLine {
  readonly angle: number
  baseline: number
  height: number
  readonly cells: Cell[]
  text: string
  left: number
  /** The spaces of `text`. */
  gaps: Gap[]
  /** The level of the last characters of `text`, from `levelStart` on. */
  level: Level
  levelStart: number
  /** The baseline and height from which raised and lowered text is told, and where text at them starts in `text`. */
  base: { readonly baseline: number; readonly height: number; start: number }
}

/** A character behind those of an open line, and where these end. */
interface NextCharacter {
  readonly box: Box
  readonly character: string
  readonly lastRight: number
  readonly lastBaseline: number
}

/**
 * Determines the level of the next character. A line may begin with raised text, such as the mark of a footnote. It is
 * known as raised when larger text follows it on a lower baseline, which then becomes the line's.
 */
export function findLevel(line: OpenLine, { box, character, lastRight, lastBaseline }: NextCharacter): Level {
  const { base } = line
  const gap = box.left - lastRight
  const height = box.top - box.bottom
  if (gap > maxMarkGapHeights * base.height || gap < -base.height) {
    line.base = { baseline: lastBaseline, height, start: -1 }
    return 'base'
  }
  const rise = lastBaseline - base.baseline
  if (base.height < smallHeights * height && rise < -minRiseHeights * height) {
    const mark = line.text.slice(base.start)
    if (/^\P{L}{1,3}$/u.test(mark)) {
      line.text = line.text.slice(0, base.start) + writeRaised('', mark)
      line.gaps = line.gaps.filter(({ at }) => at < base.start)
    }
    if (line.cells.length === 0 && base.start === 0) {
      line.baseline = lastBaseline
      line.height = height
    }
    line.base = { baseline: lastBaseline, height, start: -1 }
    return 'base'
  }
  if (isDenominator(line, character, height < smallHeights * base.height)) return 'lowered'
  if (height < smallHeights * base.height) {
    if (rise > minRiseHeights * base.height) return 'raised'
    if (rise < -minDropHeights * base.height) return 'lowered'
  }
  const isRaisedNumber = rise > minNumberRise * base.height && rise < maxNumberRise * base.height
  return isRaisedNumber && /[\d(),*]/.test(character) ? 'raised' : 'base'
}

/** Whether a digit belongs to the number under a fraction stroke: small behind `5¹/`, and any behind `5¹⁄`. */
function isDenominator({ level, levelStart, text }: OpenLine, character: string, isSmall: boolean): boolean {
  if (!/\d/.test(character)) return false
  const before = level === 'lowered' ? text.slice(0, levelStart) : text
  return (isSmall ? endsWithNumerator : endsWithNumeratorAndStroke).test(before)
}

/** Marks raised or lowered text at the end of the line's text, so that it does not join the number before it. */
export function endLevel(line: OpenLine): void {
  const before = line.text.slice(0, line.levelStart)
  const text = line.text.slice(line.levelStart)
  if (line.level !== 'base') line.gaps = line.gaps.filter(gap => gap.at < line.levelStart)
  if (line.level === 'raised') line.text = before + writeRaised(before, text)
  else if (line.level === 'lowered') line.text = appendLowered(before, text)
  line.level = 'base'
}

/** Whether the height, rise and gap of text beside a line are those of a raised or lowered mark. */
export function isMark(
  line: { readonly height: number },
  height: number,
  rise: number,
  gap: number,
): boolean {
  const [larger, smaller] = [Math.max(height, line.height), Math.min(height, line.height)]
  return (
    smaller < smallHeights * larger &&
    Math.abs(rise) < maxNumberRise * larger &&
    gap <= maxMarkGapHeights * larger
  )
}

/** Begins a line with a character. */
export function openLine(characters: PageCharacters, index: number): OpenLine {
  const angle = characters.angleOf(index)
  const box = characters.boxOf(index, angle)
  const baseline = characters.baselineOf(index, angle)
  const height = Math.max(1, box.top - box.bottom)
  return {
    angle,
    baseline,
    height,
    cells: [],
    text: '',
    left: box.left,
    gaps: [],
    level: 'base',
    levelStart: 0,
    base: { baseline, height, start: 0 },
  }
}

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
    const [cell, ...furtherCells] = mark.cells
    if (cell === undefined || furtherCells.length > 0 || !markText.test(cell.text)) continue
    const strip = Math.floor(mark.baseline / stripHeight)
    const near = [strip - 1, strip, strip + 1].flatMap(at => strips.get(at) ?? [])
    for (const place of near) {
      const line = attached[place]!
      if (place === index || marks.has(place) || line.angle !== mark.angle) continue
      const at = line.cells.findIndex(beside => isBeside(line, beside, mark, cell))
      if (at === -1) continue
      const cells = line.cells.with(at, addMark(line.cells[at]!, cell, mark.baseline > line.baseline))
      attached[place] = { ...line, cells }
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

function addMark(cell: Cell, mark: Cell, isRaised: boolean): Cell {
  const text = cell.text + (isRaised ? writeRaised : writeLowered)(cell.text, mark.text)
  return { ...cell, text, right: mark.right }
}
