import { readingLimits } from '../../src/system/reading-limits.ts'
import type { Line } from './cells.ts'
import { attachLooseMarks, endLevel, findLevel, isMark, type OpenLine, openLine } from './open-line.ts'
import {
  type Box,
  isLayoutCode,
  isSpace,
  isVisible,
  lineEndHyphen,
  PageCharacters,
  readCharacter,
  turnBox,
  writeFractionSign,
  writeUnmapped,
} from './page-characters.ts'
import type { Pdfium } from './pdfium.ts'

/** A gap of more line heights than this separates cells. Spaces in justified prose are narrower. */
const cellGapHeights = 1
/** Characters of one word are at most this many line heights apart. */
const wordGapHeights = 0.1
/** A space of its own is at least this many line heights wide. */
const minSpaceHeights = 0.02
/** Two numbers with a wider gap, in line heights, are two cells. The groups of one number are closer together. */
const numberGapHeights = 0.45
/** The baselines of two lines are at least this many line heights apart. Raised text is closer to its line. */
const minLeadingHeights = 0.75
/** The box of a character is as high as this many of its type sizes, unless its font is described wrongly. */
const maxBoxSizes = 1.4
/** A glyph at most this many line heights beside the same glyph is the same glyph, drawn twice to look bold. */
const boldShiftHeights = 0.08
/** The first code of the characters that may be written vertically: Chinese and Japanese. */
const firstCjk = 0x2e80

/**
 * Reads the lines of a loaded page in content order. Each line is split into cells at wide gaps.
 *
 * @param page PDFium's handle of the page
 * @param hidden PDFium's handles of the text objects that are not shown
 * @returns an empty list when the page has no text; null when it has more characters than `readingLimits.pageChars`
 */
export function readLines(
  pdfium: Pdfium,
  page: number,
  hidden: ReadonlySet<number> = new Set(),
): Line[] | null {
  const textPage = pdfium.exports.FPDFText_LoadPage(page)
  if (textPage === 0) return []
  const characters = new PageCharacters(pdfium, page, textPage)
  const lines = characters.count > readingLimits.pageChars ? null : collectLines(characters, hidden)
  const box = lines === null ? null : characters.visibleBox()
  characters.free()
  pdfium.exports.FPDFText_ClosePage(textPage)
  return lines === null || box === null ? lines : lines.flatMap(line => withinBox(line, box))
}

/** Removes the cells that are completely outside the visible part of the page. */
function withinBox(line: Line, page: Box): Line[] {
  if (line.angle % 90 !== 0) return [line]
  const box = turnBox(page, line.angle)
  const middle = line.baseline + 0.3 * line.height
  if (middle < box.bottom || middle > box.top) return []
  const cells = line.cells.filter(cell => cell.right > box.left && cell.left < box.right)
  return cells.length === 0 ? [] : [{ ...line, cells }]
}

function collectLines(characters: PageCharacters, hidden: ReadonlySet<number>): Line[] {
  const collector = new LineCollector(characters)
  let lastRead = -1
  for (let index = 0; index < characters.count; index++) {
    if (index <= lastRead) continue
    const code = characters.codeAt(index)
    const blanks = isVisible(code) ? characters.blanksUnder(index, collector.lastRight) : 0
    if (blanks > 0) collector.addSpace()
    lastRead = index + blanks
    if (hidden.size > 0 && hidden.has(characters.objectAt(index))) continue
    if (characters.isUnmappedGlyph(code, index))
      collector.add(code, index, writeUnmapped(code, collector.isTexGlyph(index)))
    else if (code === 10) collector.addLineBreak(index)
    else if (isSpace(code)) collector.addSpace()
    else if (isVisible(code)) {
      const fraction = readGlyphFraction(characters, code, index)
      const sign = fraction === null ? null : writeFractionSign(fraction.replace(/[^\d]/, '/'))
      if (fraction !== null && sign === null && isDigit(characters.codeAt(index - 1))) collector.addSpace()
      collector.add(
        sign ?? code,
        index,
        sign === null ? (fraction ?? readCharacter(code)) : readCharacter(sign),
      )
      if (fraction !== null) lastRead = index + fraction.length - 1
    }
  }
  collector.endLine()
  return attachLooseMarks(collector.lines)
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isSlash = (code: number): boolean => code === 0x2f || code === 0x2044 || code === 0x2215
/** The most characters of a fraction that is one glyph, such as `11/16`. */
const maxFractionChars = 5

/** Returns the fraction that one glyph draws, such as `1/2`; null for any other character. */
function readGlyphFraction(characters: PageCharacters, code: number, index: number): string | null {
  if (!isDigit(code)) return null
  const [second, third] = [characters.codeAt(index + 1), characters.codeAt(index + 2)]
  if (!isSlash(second) && !(isDigit(second) && isSlash(third))) return null
  const { left } = characters.boxOf(index, 0)
  let text = ''
  for (let at = index; at < index + maxFractionChars; at++) {
    const next = characters.codeAt(at)
    if (!(isDigit(next) || isSlash(next)) || characters.boxOf(at, 0).left !== left) break
    text += String.fromCharCode(next)
  }
  return /^\d+\D\d+$/.test(text) ? text : null
}

/** Receives characters in content order and joins them to words, cells and lines. */
class LineCollector {
  readonly lines: Line[] = []
  readonly #characters: PageCharacters
  #open: OpenLine | null = null
  #lastVisible = -1
  /** The box of the last visible character, turned by the angle of the open line. */
  #lastBox: Box = { left: 0, right: 0, bottom: 0, top: 0 }
  /** Where the last glyph ends. PDFium returns a box that is too narrow for the second letter of a ligature. */
  lastRight = 0
  #lastLeft = 0
  /** The gap before the last character within its word; null for the first character of a word. */
  #lastGap: number | null = null
  #lastCode = 0
  #lastBaseline = 0
  #isAfterSpace = false

  constructor(characters: PageCharacters) {
    this.#characters = characters
  }

  add(code: number, index: number, character: string): void {
    if (this.#open !== null && this.#followBaseline(this.#open, code, index)) this.endLine()
    const wasOpen = this.#open !== null
    this.#open ??= this.#openLine(index)
    const box = this.#characters.boxOf(index, this.#open.angle)
    if (wasOpen && this.#isDrawnTwice(code, box)) return
    const startsWord = !wasOpen || this.#isAfterSpace || this.#isAfterGap(this.#open, code, index, box)
    const level = wasOpen
      ? findLevel(this.#open, { box, character, lastRight: this.lastRight, lastBaseline: this.#lastBaseline })
      : 'base'
    if (level !== this.#open.level) endLevel(this.#open)
    if (wasOpen && startsWord)
      this.#endWord(this.#open, box.left, character, this.#characters.codeAt(index + 1))
    if (level !== this.#open.level) {
      this.#open.level = level
      this.#open.levelStart = this.#open.text.length
    }
    if (this.#open.base.start === -1) this.#open.base.start = this.#open.text.length
    this.#open.text += character
    this.#measureGap(box, startsWord)
    this.#lastVisible = index
    this.#lastBox = box
    this.#lastCode = code
    this.#isAfterSpace = false
  }

  #openLine(index: number): OpenLine {
    const line = openLine(this.#characters, index)
    this.#lastBaseline = line.baseline
    return line
  }

  addSpace(): void {
    this.#isAfterSpace = true
  }

  addLineBreak(index: number): void {
    if (!this.#continuesAfterBreak(index)) this.endLine()
  }

  endLine(): void {
    if (this.#open !== null) {
      endLevel(this.#open)
      const { angle, baseline, height, cells, text, left, gaps } = this.#open
      cells.push({ text, left, right: this.#lastBox.right, gaps })
      this.lines.push({ angle, baseline, height, cells })
    }
    this.#open = null
    this.#isAfterSpace = false
  }

  /**
   * Whether an unmapped glyph belongs to a TeX bitmap font. Such fonts have no name. In other fonts that map no
   * characters, the neighbours of the glyph are unmapped too.
   */
  isTexGlyph(index: number): boolean {
    const hasMappedNeighbour = this.#lastCode > 32 || this.#characters.codeAt(index + 1) > 32
    return hasMappedNeighbour && this.#characters.hasNamelessFont(index)
  }

  /**
   * Follows the baseline to a character, and returns whether the character starts a new line. PDFium does not end the
   * line between short texts above each other, such as the numbers along the axis of a chart.
   */
  #followBaseline(line: OpenLine, code: number, index: number): boolean {
    const baseline = this.#characters.baselineOf(index, line.angle)
    const rise = baseline - this.#lastBaseline
    this.#lastBaseline = baseline
    if (rise === 0) return false
    const box = this.#characters.boxOf(index, line.angle)
    const height = Math.max(line.height, box.top - box.bottom)
    const size = Math.min(height, maxBoxSizes * this.#typeSize(index))
    const isAway = Math.abs(rise) > 0.5 * size
    if (
      isAway &&
      numberStart.test(String.fromCharCode(code)) &&
      isNumber(line) &&
      box.left < this.#lastBox.right
    )
      return true
    if (!isAway || this.#lastCode === lineEndHyphen) return false
    if (rise < 0 && (code >= firstCjk || this.#continuesDown(line, box))) return false
    return box.left < this.#lastBox.left - cellGapHeights * size || Math.abs(rise) > minLeadingHeights * size
  }

  /** Whether a character may follow vertically written text: it is directly below its last character. */
  #continuesDown({ text }: OpenLine, { left, right }: Box): boolean {
    return /[\u2e80-\uffff]/.test(text) && left < this.#lastBox.right && right > this.#lastBox.left
  }

  /** The larger of the type sizes of the last character and the next one. */
  #typeSize(index: number): number {
    return Math.max(this.#characters.sizeOf(this.#lastVisible), this.#characters.sizeOf(index))
  }

  /**
   * Whether a line continues after a line break. PDFium ends the line after each glyph of some bold Chinese text,
   * although the next glyph is directly beside it, and before or after raised and lowered text.
   */
  #continuesAfterBreak(index: number): boolean {
    const [characters, line] = [this.#characters, this.#open]
    if (line === null) return false
    let next = index + 1
    while (next < characters.count && isBlank(characters.codeAt(next))) next++
    if (next >= characters.count || characters.angleOf(next) !== line.angle) return false
    if (this.#lastCode < firstCjk || characters.codeAt(next) < firstCjk)
      return this.#continuesAtMark(line, next)
    const maxGap = wordGapHeights * line.height
    const rise = characters.baselineOf(next, line.angle) - this.#lastBaseline
    const { left } = characters.boxOf(next, line.angle)
    return Math.abs(rise) <= maxGap && Math.abs(left - this.#lastBox.right) <= maxGap
  }

  /** Whether raised or lowered text begins at a character, or ends before it, beside the last character. */
  #continuesAtMark(line: OpenLine, next: number): boolean {
    const box = this.#characters.boxOf(next, line.angle)
    const gap = box.left - this.lastRight
    if (gap > cellGapHeights * line.height || gap < -0.2 * line.height) return false
    const rise = this.#characters.baselineOf(next, line.angle) - line.baseline
    const height = box.top - box.bottom
    if (Math.abs(rise) < 0.02 * line.height) return line.level !== 'base'
    return isMark(line, height, rise, gap)
  }

  #measureGap({ left, right }: Box, startsWord: boolean): void {
    const isLigature = !startsWord && left === this.#lastLeft
    this.#lastGap = startsWord ? null : left - this.lastRight
    this.lastRight = isLigature ? Math.max(this.lastRight, right) : right
    this.#lastLeft = left
  }

  /**
   * Whether a new word starts although PDFium reports no space. In justified text, some spaces are narrower than PDFium
   * expects. A wide gap separates words unless the letters next to it are widely spaced too. A narrow gap separates
   * words where the page draws a space.
   */
  #isAfterGap({ angle, height }: OpenLine, code: number, index: number, box: Box): boolean {
    if (code >= firstCjk || this.#lastCode >= firstCjk) return false
    const gap = box.left - this.lastRight
    if (gap <= minSpaceHeights * height) return false
    if (gap > cellGapHeights * height) return true
    const letterSpacing =
      this.#lastGap === null ? gap : Math.max(this.#lastGap, this.#gapAfter(index, angle, box) ?? 0)
    if (gap > wordGapHeights * height && letterSpacing < minSpaceHeights * height) return true
    return this.#characters.hasBlankObjectBetween(this.#lastVisible, index)
  }

  #isDrawnTwice(code: number, box: Box): boolean {
    const { left, right, bottom, top } = this.#lastBox
    const shift = boldShiftHeights * (top - bottom)
    return (
      code === this.#lastCode &&
      right > left &&
      Math.abs(box.left - left) <= shift &&
      Math.abs(box.right - right) <= shift &&
      Math.abs(box.bottom - bottom) <= shift
    )
  }

  /** Returns the gap between a character and the next one; null when no visible character follows directly. */
  #gapAfter(index: number, angle: number, { right }: Box): number | null {
    if (this.#characters.codeAt(index + 1) <= 32) return null
    return this.#characters.boxOf(index + 1, angle).left - right
  }

  /** Adds a space before the next word, or starts a new cell when the gap is wide. */
  #endWord(line: OpenLine, left: number, character: string, next: number): void {
    const { right } = this.#lastBox
    const areNumbers = /\d[%)]?$/.test(line.text) && startsNumberAt(character, next)
    const maxGap = areNumbers ? numberGapHeights : cellGapHeights
    if (left - right <= maxGap * line.height) {
      line.gaps.push({ at: line.text.length, left: right, right: left })
      line.text += ' '
    } else {
      endLevel(line)
      line.cells.push({ text: line.text, left: line.left, right, gaps: line.gaps })
      line.text = ''
      line.left = left
      line.gaps = []
    }
  }
}

const isBlank = (code: number): boolean => isLayoutCode(code) || isSpace(code)

/** Whether a word may be a number. A sign before a space is the dash of a range: `1 - 2 years`. */
function startsNumberAt(character: string, next: number): boolean {
  return /[\d(]/.test(character) || (/[+−–-]/.test(character) && next > 32)
}

const numberStart = /^[-+−–\d]$/

function isNumber({ cells, text }: OpenLine): boolean {
  return cells.length === 0 && /^[-+−–]?\d[\d.,%]*$/.test(text)
}
