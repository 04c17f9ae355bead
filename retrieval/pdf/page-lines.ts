import {
  characterOf,
  isLayoutCode,
  isSpace,
  isVisible,
  lineEndHyphen,
  unmappedCharacter,
} from './characters.ts'
import type { Cell, Line } from './lines.ts'
import type { Pdfium } from './pdfium.ts'

/** A gap wider than the line's height parts cells; the widest space of justified prose stays below it. */
const cellGapHeights = 1
/** Characters of one word are no farther apart. */
const besideHeights = 0.1
/** Where vertical writing begins: Chinese and Japanese characters. */
const firstCjk = 0x2e80

interface Box {
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

interface OpenLine {
  readonly angle: number
  readonly baseline: number
  readonly height: number
  readonly cells: Cell[]
  text: string
  left: number
}

/** The lines of a loaded page in content order, split into cells where the gap is wide; none where it has no text. */
export function linesOf(pdfium: Pdfium, page: number): Line[] {
  const textPage = pdfium.exports.FPDFText_LoadPage(page)
  if (textPage === 0) return []
  const lines = linesOfText(pdfium, textPage)
  pdfium.exports.FPDFText_ClosePage(textPage)
  return lines
}

function linesOfText(pdfium: Pdfium, textPage: number): Line[] {
  const { exports } = pdfium
  const scratch = exports.malloc(32)
  const lines: Line[] = []
  let open: OpenLine | null = null
  let lastVisible = -1
  let lastCode = 0
  let lastBaseline = 0
  let afterSpace = false
  const close = (): void => {
    if (open !== null)
      lines.push(closeLine(open, boxOf(pdfium, textPage, lastVisible, open.angle, scratch).right))
    open = null
    afterSpace = false
  }
  const count = exports.FPDFText_CountChars(textPage)
  for (let index = 0; index < count; index++) {
    const code = exports.FPDFText_GetUnicode(textPage, index)
    if (isUnmappedGlyph(code, index)) add(code, index, unmappedCharacter(code, isTexBitmap(index)))
    else if (code === 10) {
      if (!goesOn(index)) close()
    } else if (isSpace(code)) afterSpace = true
    else if (isVisible(code)) add(code, index, characterOf(code))
  }
  close()
  exports.free(scratch)
  return lines

  function add(code: number, index: number, character: string): void {
    if (open !== null && leavesLine(open, code, index)) close()
    if (open === null) {
      open = openLine(pdfium, textPage, index, scratch)
      lastBaseline = open.baseline
    } else if (afterSpace) breakWord(open, index)
    open.text += character
    lastVisible = index
    lastCode = code
    afterSpace = false
  }

  /** PDFium ends no line between short texts that stand above each other, as the numbers along a chart's axis do. */
  function leavesLine(line: OpenLine, code: number, index: number): boolean {
    const baseline = baselineOf(pdfium, textPage, index, line.angle, scratch)
    const rise = baseline - lastBaseline
    lastBaseline = baseline
    const areNumbers = beginsNumber.test(String.fromCharCode(code)) && isNumber(line)
    if (areNumbers && Math.abs(rise) > 0.5 * line.height && stepsBack(line, index)) return true
    if (Math.abs(rise) <= line.height || lastCode === lineEndHyphen) return false
    if (rise < 0 && code >= firstCjk) return false
    const box = boxOf(pdfium, textPage, index, line.angle, scratch)
    return Math.abs(rise) > box.top - box.bottom
  }

  function stepsBack(line: OpenLine, index: number): boolean {
    const { right } = boxOf(pdfium, textPage, lastVisible, line.angle, scratch)
    return boxOf(pdfium, textPage, index, line.angle, scratch).left < right
  }

  /** PDFium ends a line after each glyph of some bold Chinese text, though the next one stands right beside it. */
  function goesOn(index: number): boolean {
    if (open === null || lastCode < firstCjk) return false
    let next = index + 1
    while (next < count && isLayoutCode(exports.FPDFText_GetUnicode(textPage, next))) next++
    if (next >= count || exports.FPDFText_GetUnicode(textPage, next) < firstCjk) return false
    const reach = besideHeights * open.height
    const rise = baselineOf(pdfium, textPage, next, open.angle, scratch) - lastBaseline
    const { right } = boxOf(pdfium, textPage, lastVisible, open.angle, scratch)
    const { left } = boxOf(pdfium, textPage, next, open.angle, scratch)
    return Math.abs(rise) <= reach && Math.abs(left - right) <= reach
  }

  function breakWord(line: OpenLine, index: number): void {
    const { right } = boxOf(pdfium, textPage, lastVisible, line.angle, scratch)
    const { left } = boxOf(pdfium, textPage, index, line.angle, scratch)
    if (left - right <= cellGapHeights * line.height) line.text += ' '
    else {
      line.cells.push({ text: line.text, left: line.left, right })
      line.text = ''
      line.left = left
    }
  }

  /**
   * A glyph whose font gives no character for it, but a bare code. It is never left out: it may be the dash of `50–59`
   * or the minus of `-5`, and without it numbers would run together.
   */
  function isUnmappedGlyph(code: number, index: number): boolean {
    if (code >= 32 || code === lineEndHyphen || isLayoutCode(code)) return false
    if (exports.FPDFText_IsGenerated(textPage, index) !== 0) return false
    // PDFium does not call code 0 unmapped; where the font has a name it is the box of a missing glyph.
    return exports.FPDFText_HasUnicodeMapError(textPage, index) === 1 || (code === 0 && isNameless(index))
  }

  /** As TeX's bitmap fonts are; in those of others that give no characters, what stands beside has none either. */
  function isTexBitmap(index: number): boolean {
    const next = index + 1 < count ? exports.FPDFText_GetUnicode(textPage, index + 1) : 0
    return (lastCode > 32 || next > 32) && isNameless(index)
  }

  function isNameless(index: number): boolean {
    return exports.FPDFText_GetFontInfo(textPage, index, 0, 0, 0) <= 1
  }
}

const beginsNumber = /^[-+−–\d]$/

function isNumber({ cells, text }: OpenLine): boolean {
  return cells.length === 0 && /^[-+−–]?\d[\d.,%]*$/.test(text)
}

function openLine(pdfium: Pdfium, textPage: number, index: number, scratch: number): OpenLine {
  const radians = pdfium.exports.FPDFText_GetCharAngle(textPage, index)
  // PDFium counts clockwise.
  const angle = radians > 0 ? (360 - Math.round((radians * 180) / Math.PI)) % 360 : 0
  const box = boxOf(pdfium, textPage, index, angle, scratch)
  const baseline = baselineOf(pdfium, textPage, index, angle, scratch)
  return { angle, baseline, height: Math.max(1, box.top - box.bottom), cells: [], text: '', left: box.left }
}

function closeLine(line: OpenLine, right: number): Line {
  const { angle, baseline, height } = line
  return { angle, baseline, height, cells: [...line.cells, { text: line.text, left: line.left, right }] }
}

function boxOf(pdfium: Pdfium, textPage: number, index: number, angle: number, scratch: number): Box {
  if (pdfium.exports.FPDFText_GetLooseCharBox(textPage, index, scratch) === 0) {
    return { left: 0, right: 0, bottom: 0, top: 0 }
  }
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(pdfium.memory().buffer, scratch, 4)
  if (angle === 0) return { left, right, bottom, top }
  const corners = [turn(left, bottom, angle), turn(right, top, angle)] as const
  return {
    left: Math.min(corners[0].x, corners[1].x),
    right: Math.max(corners[0].x, corners[1].x),
    bottom: Math.min(corners[0].y, corners[1].y),
    top: Math.max(corners[0].y, corners[1].y),
  }
}

/** PDFium's memory as numbers: asked for each character, a new view would cost more than the character. */
let doubles: Float64Array = new Float64Array(0)

function baselineOf(pdfium: Pdfium, textPage: number, index: number, angle: number, scratch: number): number {
  pdfium.exports.FPDFText_GetCharOrigin(textPage, index, scratch + 16, scratch + 24)
  const { buffer } = pdfium.memory()
  if (doubles.buffer !== buffer) doubles = new Float64Array(buffer)
  const at = scratch / 8 + 2
  const [x = 0, y = 0] = [doubles[at], doubles[at + 1]]
  return angle === 0 ? y : turn(x, y, angle).y
}

/** Page coordinates as a reader sees them who turned the page so that the line runs to the right. */
function turn(x: number, y: number, degrees: number): { x: number; y: number } {
  const radians = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  return { x: x * cos + y * sin, y: y * cos - x * sin }
}
