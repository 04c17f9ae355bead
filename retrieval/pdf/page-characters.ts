import type { Pdfium } from './pdfium.ts'

/** The box around a character, in points. */
export interface Box {
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

/** PDFium's number for page objects that draw text. */
const textObjectType = 1
/** PDFium leaves out a text object whose glyphs are narrower than this, in points. */
const minInkWidth = 0.0001

/**
 * The characters of a page in content order, numbered from 0, as PDFium reads them. Positions are in points. They are
 * turned by `angle` degrees, so that a line at that angle runs to the right. Call `free` at the end.
 */
export class PageCharacters {
  readonly count: number
  readonly #pdfium: Pdfium
  readonly #page: number
  readonly #textPage: number
  /** Memory inside PDFium for results: a rectangle of four floats, then two doubles. */
  readonly #scratch: number
  /** PDFium's memory. Creating a view for each character would take longer than reading the character. */
  #floats: Float32Array = new Float32Array(0)
  #doubles: Float64Array = new Float64Array(0)
  /** For each text object of the page, how many text objects without ink precede it. Counted at first use. */
  #blanksBefore: ReadonlyMap<number, number> | null = null

  constructor(pdfium: Pdfium, page: number, textPage: number) {
    this.#pdfium = pdfium
    this.#page = page
    this.#textPage = textPage
    this.#scratch = pdfium.exports.malloc(32)
    this.count = pdfium.exports.FPDFText_CountChars(textPage)
  }

  free(): void {
    this.#pdfium.exports.free(this.#scratch)
  }

  /** Returns the Unicode code of a character; 0 after the last one. */
  codeAt(index: number): number {
    return index < this.count ? this.#pdfium.exports.FPDFText_GetUnicode(this.#textPage, index) : 0
  }

  /** Returns the angle of a character in whole degrees, counterclockwise. */
  angleOf(index: number): number {
    const radians = this.#pdfium.exports.FPDFText_GetCharAngle(this.#textPage, index)
    // PDFium counts clockwise.
    return radians > 0 ? (360 - Math.round((radians * 180) / Math.PI)) % 360 : 0
  }

  boxOf(index: number, angle: number): Box {
    const { exports } = this.#pdfium
    if (exports.FPDFText_GetLooseCharBox(this.#textPage, index, this.#scratch) === 0) {
      return { left: 0, right: 0, bottom: 0, top: 0 }
    }
    this.#renewViews()
    const [floats, at] = [this.#floats, this.#scratch / 4]
    const left = floats[at]!
    const top = floats[at + 1]!
    const right = floats[at + 2]!
    const bottom = floats[at + 3]!
    return turnBox({ left, right, bottom, top }, angle)
  }

  /**
   * Returns how many of the next characters are a blank that is drawn from under a character, with the space that
   * PDFium adds to it. PDFium sorts such a blank behind the character, although it divides it from the one before.
   */
  blanksUnder(index: number, end: number): number {
    if (!isSpace(this.codeAt(index + 1)) || this.isGenerated(index + 1)) return 0
    const angle = this.angleOf(index)
    const { left, right } = this.boxOf(index, angle)
    // The characters of one glyph have one box.
    if (index > 0 && this.boxOf(index - 1, angle).left === left) return 0
    const blank = this.boxOf(index + 1, angle)
    if (blank.left <= left || Math.abs(blank.left - end) > 0.1 * (right - left)) return 0
    return isSpace(this.codeAt(index + 2)) && this.isGenerated(index + 2) ? 2 : 1
  }

  isGenerated(index: number): boolean {
    return this.#pdfium.exports.FPDFText_IsGenerated(this.#textPage, index) === 1
  }

  /** Returns the size of a character's type in points. */
  sizeOf(index: number): number {
    const exports = this.#pdfium.exports
    if (exports.FPDFText_GetMatrix(this.#textPage, index, this.#scratch) === 0) return 0
    this.#renewViews()
    const at = this.#scratch / 4
    const scale = Math.hypot(this.#floats[at + 2]!, this.#floats[at + 3]!)
    return scale * exports.FPDFText_GetFontSize(this.#textPage, index)
  }

  /** Returns the part of the page that is shown: the crop box within the media box; null when it is unknown. */
  visibleBox(): Box | null {
    const exports = this.#pdfium.exports
    if (exports.FPDF_GetPageBoundingBox(this.#page, this.#scratch) === 0) return null
    this.#renewViews()
    const [left = 0, top = 0, right = 0, bottom = 0] = this.#floats.subarray(this.#scratch / 4)
    return right > left && top > bottom ? { left, right, bottom, top } : null
  }

  /** Returns PDFium's handle of the object that draws a character; 0 for a generated character. */
  objectAt(index: number): number {
    return this.#pdfium.exports.FPDFText_GetTextObject(this.#textPage, index)
  }

  baselineOf(index: number, angle: number): number {
    this.#pdfium.exports.FPDFText_GetCharOrigin(this.#textPage, index, this.#scratch + 16, this.#scratch + 24)
    this.#renewViews()
    const at = this.#scratch / 8 + 2
    const y = this.#doubles[at + 1]!
    return angle === 0 ? y : turn(this.#doubles[at]!, y, angle).y
  }

  /** Creates the views again after PDFium's memory grew. This leaves a view of the old memory without elements. */
  #renewViews(): void {
    if (this.#doubles.length > 0) return
    const { buffer } = this.#pdfium.memory()
    this.#floats = new Float32Array(buffer)
    this.#doubles = new Float64Array(buffer)
  }

  /**
   * Whether a glyph's font maps it to no character, so that only a code below 32 is known. Such a glyph must
   * not be dropped. It may be the dash of `50–59` or the minus of `-5`, and without it numbers would be
   * joined.
   */
  isUnmappedGlyph(code: number, index: number): boolean {
    if (code >= 32 || code === lineEndHyphen || isLayoutCode(code)) return false
    const { exports } = this.#pdfium
    if (this.isGenerated(index)) return false
    // PDFium does not report code 0 as unmapped. In a font with a name, code 0 is the box of a missing glyph.
    return (
      exports.FPDFText_HasUnicodeMapError(this.#textPage, index) === 1 ||
      (code === 0 && this.hasNamelessFont(index))
    )
  }

  /**
   * Whether the page draws a space as a text object of its own between two characters. PDFium leaves out such objects,
   * and then does not report a narrow space.
   */
  hasBlankObjectBetween(index: number, next: number): boolean {
    const { exports } = this.#pdfium
    const first = exports.FPDFText_GetTextObject(this.#textPage, index)
    const second = exports.FPDFText_GetTextObject(this.#textPage, next)
    if (first === second) return false
    this.#blanksBefore ??= this.#countBlanks()
    const [before, after] = [this.#blanksBefore.get(first), this.#blanksBefore.get(second)]
    return before !== undefined && after !== undefined && after > before
  }

  #countBlanks(): Map<number, number> {
    const { exports } = this.#pdfium
    const counts = new Map<number, number>()
    let blanks = 0
    const count = exports.FPDFPage_CountObjects(this.#page)
    for (let at = 0; at < count; at++) {
      const object = exports.FPDFPage_GetObject(this.#page, at)
      if (exports.FPDFPageObj_GetType(object) !== textObjectType) continue
      counts.set(object, blanks)
      if (this.#inkWidth(object) < minInkWidth) blanks++
    }
    return counts
  }

  #inkWidth(object: number): number {
    const at = this.#scratch
    if (this.#pdfium.exports.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12) === 0)
      return Number.POSITIVE_INFINITY
    this.#renewViews()
    return this.#floats[at / 4 + 2]! - this.#floats[at / 4]!
  }

  hasNamelessFont(index: number): boolean {
    return this.#pdfium.exports.FPDFText_GetFontInfo(this.#textPage, index, 0, 0, 0) <= 1
  }
}

/** Turns a box by an angle in degrees, as if the page were turned until a line at that angle runs to the right. */
export function turnBox(box: Box, angle: number): Box {
  if (angle === 0) return box
  const corners = [turn(box.left, box.bottom, angle), turn(box.right, box.top, angle)] as const
  return {
    left: Math.min(corners[0].x, corners[1].x),
    right: Math.max(corners[0].x, corners[1].x),
    bottom: Math.min(corners[0].y, corners[1].y),
    top: Math.max(corners[0].y, corners[1].y),
  }
}

/** Turns page coordinates by an angle, as if the page were turned until the line runs to the right. */
function turn(x: number, y: number, degrees: number): { x: number; y: number } {
  const radians = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  return { x: x * cos + y * sin, y: y * cos - x * sin }
}

/** The code that PDFium returns for a hyphen that divides a word at the end of a line. */
export const lineEndHyphen = 2

/** The bullet of Microsoft's Symbol font, in the private use area. */
const symbolFontBullet = 0xf0b7

const firstLigature = 0xfb00
const ligatures: readonly string[] = ['ff', 'fi', 'fl', 'ffi', 'ffl', 'st', 'st']

/** Whether a code is a space of any width. */
export function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200a)
}

/** Whether a code has a visible glyph. */
export function isVisible(code: number): boolean {
  return code > 32 ? code !== 0xad && code !== 0xfeff && code !== 0xffff : code === lineEndHyphen
}

/** Returns the text of a visible code. Ligatures become separate letters; an invalid code becomes U+FFFD. */
export function readCharacter(code: number): string {
  if (code === lineEndHyphen || code === 0xfffe) return '-'
  if (code === symbolFontBullet) return '•'
  // An array index below zero is looked up like a name, which would take most of the time of this function.
  if (code < firstLigature) return String.fromCharCode(code)
  return ligatures[code - firstLigature] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
}

const fractionSigns: ReadonlyMap<string, number> = new Map(
  Array.from('¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞', sign => [sign.normalize('NFKC').replace('⁄', '/'), sign.charCodeAt(0)]),
)

/** Returns the code of the sign of a fraction such as `1/2`; null when it has no sign. */
export const writeFractionSign = (fraction: string): number | null => fractionSigns.get(fraction) ?? null

/** Ligatures, quotes and dashes of TeX's text fonts: from code 16 in its T1 encoding, below in the older OT1. */
const texGlyphs: ReadonlyMap<number, string> = new Map([
  [11, 'ff'],
  [12, 'fi'],
  [14, 'ffi'],
  [15, 'ffl'],
  [16, '“'],
  [17, '”'],
  [21, '–'],
  [22, '—'],
  [27, 'ff'],
  [28, 'fi'],
  [29, 'fl'],
  [30, 'ffi'],
  [31, 'ffl'],
])

/** Whether a code is a tab or a line end. Some programs write these codes into PDFs; they draw nothing. */
export function isLayoutCode(code: number): boolean {
  return code === 9 || code === 10 || code === 13
}

/**
 * Returns the text of a drawn glyph for which only a code below 32 is known: U+FFFD when it cannot be determined.
 *
 * @param isTexGlyph whether the glyph belongs to a bitmap font of TeX, whose encoding is known
 */
export function writeUnmapped(code: number, isTexGlyph: boolean): string {
  return (isTexGlyph ? texGlyphs.get(code) : undefined) ?? '\ufffd'
}
