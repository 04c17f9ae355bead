import { readingLimits, tooLargeError } from '../../src/system/reading-limits.ts'
import { makeWellFormed } from '../../src/text/plain-text.ts'
import { listEmbeddedFiles, listLinkLines, readAnnotationLines } from './annotations.ts'
import { listHiddenTexts } from './hidden-layers.ts'
import { writeLayout } from './lines.ts'
import { readLines } from './page-lines.ts'
import type { Pdfium, PdfiumExports } from './pdfium.ts'
import type { PdfMessage, PdfPage, PdfPageState, PdfRequest } from './pool.ts'
import { readStrokes } from './rules.ts'

const refusals: Readonly<Record<number, string>> = {
  3: 'damaged: not a readable PDF, or cut short',
  4: 'encrypted: a password is needed to open it',
  5: 'encrypted: with a kind of security that cannot be opened',
}

/**
 * PDFium keeps what it parsed until the document is closed. A long document is therefore opened again after this many
 * pages, so that its memory does not grow with the number of pages.
 */
const pagesPerOpening = 200

/** Reads a document page by page, sends each page at once, and frees the document. Problems are sent, never thrown. */
export function readPages(pdfium: Pdfium, request: PdfRequest, send: (message: PdfMessage) => void): void {
  const { exports } = pdfium
  const { length } = request.bytes
  const data = exports.malloc(length)
  pdfium.memory().set(request.bytes, data)
  request.bytes = new Uint8Array(0)
  const open = (): number => exports.FPDF_LoadMemDocument(data, length, 0)
  let document = open()
  if (document === 0) {
    send({ type: 'refused', problem: refusals[exports.FPDF_GetLastError()] ?? 'damaged: cannot be opened' })
  } else {
    const pages = exports.FPDF_GetPageCount(document)
    let problem = overLimit(pages, readingLimits.pages, 'pages')
    let chars = request.charsBefore
    if (problem === null) send({ type: 'opened', pages })
    for (let number = request.firstPage; number <= pages && problem === null; number++) {
      if (number > request.firstPage && (number - request.firstPage) % pagesPerOpening === 0) {
        exports.FPDF_CloseDocument(document)
        document = open()
      }
      const page = readPage(pdfium, document, number)
      chars += page.text.length
      problem = overLimit(chars, readingLimits.textChars, 'characters of text')
      if (problem === null) send({ type: 'page', page })
    }
    if (problem !== null) send({ type: 'refused', problem })
    exports.FPDF_CloseDocument(document)
  }
  exports.free(data)
  send({ type: 'done', memoryBytes: pdfium.memory().length })
}

function overLimit(count: number, limit: number, unit: string): string | null {
  return count > limit ? tooLargeError(limit, unit).message : null
}

function readPage(pdfium: Pdfium, document: number, number: number): PdfPage {
  const { exports } = pdfium
  const page = exports.FPDF_LoadPage(document, number - 1)
  if (page === 0) return { number, text: '', state: 'failed' }
  const lines = readLines(pdfium, page, listHiddenTexts(pdfium, page))
  if (lines === null) {
    exports.FPDF_ClosePage(page)
    return { number, text: '', state: 'too-large' }
  }
  const strokes = readStrokes(pdfium, page)
  const pageText = makeWellFormed(writeLayout(lines, { strokes }))
  const state = findPageState(pdfium, page, pageText)
  const overlay = state === 'image' ? [] : readAnnotationLines(pdfium, document, number, page)
  const content = overlay.length === 0 ? pageText : makeWellFormed(writeLayout(lines, { strokes, overlay }))
  const references = [
    ...listLinkLines(pdfium, document, page, content),
    ...(number === 1 ? listEmbeddedFiles(pdfium, document) : []),
  ]
  exports.FPDF_ClosePage(page)
  const text = [content, ...references.map(makeWellFormed)].filter(line => line !== '').join('\n')
  if (state === 'image') return { number, text: hasWords(pageText) ? text : '', state }
  return hasWords(text) ? { number, text, state: 'text' } : { number, text: '', state }
}

const [pathType, imageType, formType] = [2, 3, 5]
/** A page with more shapes than this contains glyphs drawn as outlines, not only frames and rules. */
const maxDecorativeShapes = 100
/** Beside pictures that cover the page, this many letters and digits are a stamp, a page number or a link, and not its text. */
const maxStampChars = 150
/** Pictures that cover at least this share of a page may contain its text. */
const minPictureShare = 0.5

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/**
 * Tells whether a text is that of its page. U+FFFD stands for a glyph that is visible but maps to no character.
 *
 * @param text the text of the page's characters
 */
function findPageState(pdfium: Pdfium, page: number, text: string): PdfPageState {
  const unreadable = text.match(/\ufffd/g)?.length ?? 0
  const readable = countLetters(text, Math.max(unreadable, maxStampChars) + 1)
  if (unreadable > readable) return 'image'
  const exports = pdfium.exports
  if (readable === 0) return stateWithoutText(exports, page)
  const isStamp = readable <= maxStampChars && computePictureShare(pdfium, exports, page) >= minPictureShare
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
  for (const object of listPageObjects(exports, page)) {
    const type = exports.FPDFPageObj_GetType(object)
    if (type === imageType || type === formType) return 'image'
    if (type === pathType && ++shapes > maxDecorativeShapes) return 'image'
  }
  return 'blank'
}

function* listPageObjects(exports: PdfiumExports, page: number): Generator<number> {
  const count = exports.FPDFPage_CountObjects(page)
  for (let index = 0; index < count; index++) yield exports.FPDFPage_GetObject(page, index)
}

/** Returns the area of a page's pictures relative to the page. Pictures that cover each other count twice. */
function computePictureShare(pdfium: Pdfium, exports: PdfiumExports, page: number): number {
  const bounds = exports.malloc(16)
  let area = 0
  for (const object of listPageObjects(exports, page)) {
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
