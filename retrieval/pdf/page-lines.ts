import type { Cell, Line } from './lines.ts'
import type { Pdfium } from './pdfium.ts'

/** A gap wider than the line's height parts cells; the widest space of justified prose stays below it. */
const cellGapHeights = 1

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

/** The lines of a loaded text page in content order, split into cells where the gap is wide. */
export function pageLines(pdfium: Pdfium, textPage: number): Line[] {
  const { exports } = pdfium
  const scratch = exports.malloc(32)
  const lines: Line[] = []
  let open: OpenLine | null = null
  let lastVisible = -1
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
    if (code === 10) close()
    else if (isSpace(code)) afterSpace = true
    else if (isVisible(code)) {
      if (open === null) open = openLine(pdfium, textPage, index, scratch)
      else if (afterSpace) breakWord(open, index)
      open.text += characterOf(code)
      lastVisible = index
      afterSpace = false
    }
  }
  close()
  exports.free(scratch)
  return lines

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

function baselineOf(pdfium: Pdfium, textPage: number, index: number, angle: number, scratch: number): number {
  pdfium.exports.FPDFText_GetCharOrigin(textPage, index, scratch + 16, scratch + 24)
  const [x = 0, y = 0] = new Float64Array(pdfium.memory().buffer, scratch + 16, 2)
  return angle === 0 ? y : turn(x, y, angle).y
}

/** Page coordinates as a reader sees them who turned the page so that the line runs to the right. */
function turn(x: number, y: number, degrees: number): { x: number; y: number } {
  const radians = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  return { x: x * cos + y * sin, y: y * cos - x * sin }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200a)
}

function isVisible(code: number): boolean {
  return code > 32 ? code !== 0xad && code !== 0xfeff && code !== 0xffff : code === lineEndHyphen
}

/** How PDFium marks a hyphen that parts a word at the end of a line. */
const lineEndHyphen = 2

/** The bullet of Microsoft's Symbol font, in the private use area. */
const symbolFontBullet = 0xf0b7

const ligatures: readonly string[] = ['ff', 'fi', 'fl', 'ffi', 'ffl', 'st', 'st']

function characterOf(code: number): string {
  if (code === lineEndHyphen || code === 0xfffe) return '-'
  if (code === symbolFontBullet) return '•'
  return ligatures[code - 0xfb00] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
}
