import type { Pdfium, PdfiumExports } from './pdfium.ts'
import type { PdfPageState } from './pool.ts'

const [pathType, imageType, formType] = [2, 3, 5]
/** A page with more shapes than this contains glyphs drawn as outlines, not only frames and rules. */
const maxDecorativeShapes = 100
/** Beside pictures that cover the page, this many letters and digits are a stamp, a page number or a link, and not its text. */
const maxStampChars = 150
/** Pictures that cover at least this share of a page may contain its text. */
const minPictureShare = 0.5

export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/**
 * Tells whether a text is that of its page. U+FFFD stands for a glyph that is visible but maps to no character.
 *
 * @param text the text of the page's characters
 */
export function pageState(pdfium: Pdfium, page: number, text: string): PdfPageState {
  const unreadable = text.match(/\ufffd/g)?.length ?? 0
  const readable = countLetters(text, Math.max(unreadable, maxStampChars) + 1)
  if (unreadable > readable) return 'image'
  const exports = pdfium.exports
  if (readable === 0) return stateWithoutText(exports, page)
  const isStamp = readable <= maxStampChars && pictureShare(pdfium, exports, page) >= minPictureShare
  return isStamp ? 'image' : 'text'
}

/** Counts letters and digits until the limit is reached. */
function countLetters(text: string, limit: number): number {
  let count = 0
  for (const _letter of text.matchAll(/[\p{L}\p{N}]/gu)) if (++count === limit) break
  return count
}

function stateWithoutText(exports: PdfiumExports, page: number): PdfPageState {
  let shapes = 0
  for (const object of pageObjects(exports, page)) {
    const type = exports.FPDFPageObj_GetType(object)
    if (type === imageType || type === formType) return 'image'
    if (type === pathType && ++shapes > maxDecorativeShapes) return 'image'
  }
  return 'blank'
}

function* pageObjects(exports: PdfiumExports, page: number): Generator<number> {
  const count = exports.FPDFPage_CountObjects(page)
  for (let index = 0; index < count; index++) yield exports.FPDFPage_GetObject(page, index)
}

/** Returns the area of a page's pictures relative to the page. Pictures that cover each other count twice. */
function pictureShare(pdfium: Pdfium, exports: PdfiumExports, page: number): number {
  const bounds = exports.malloc(16)
  let area = 0
  for (const object of pageObjects(exports, page)) {
    if (!isPicture(exports, object)) continue
    if (exports.FPDFPageObj_GetBounds(object, bounds, bounds + 4, bounds + 8, bounds + 12) === 0) continue
    const [left, bottom, right, top] = new Float32Array(pdfium.memory().buffer, bounds, 4)
    area += (right! - left!) * (top! - bottom!)
  }
  exports.free(bounds)
  return area / (exports.FPDF_GetPageWidthF(page) * exports.FPDF_GetPageHeightF(page))
}

/** Whether an object is a picture, or a form that contains nothing else. */
function isPicture(exports: PdfiumExports, object: number): boolean {
  const type = exports.FPDFPageObj_GetType(object)
  if (type !== formType) return type === imageType
  const count = exports.FPDFFormObj_CountObjects(object)
  for (let index = 0; index < count; index++)
    if (!isPicture(exports, exports.FPDFFormObj_GetObject(object, index))) return false
  return count > 0
}
