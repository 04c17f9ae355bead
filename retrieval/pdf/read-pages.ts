import { readingLimits, tooLargeError } from '../../src/system/reading-limits.ts'
import { wellFormed } from '../../src/text/plain-text.ts'
import { annotationLines, embeddedFileLines, linkLines } from './annotations.ts'
import { hiddenTextObjects } from './hidden-layers.ts'
import { layoutText } from './lines.ts'
import { readLines } from './page-lines.ts'
import { hasWords, pageState } from './page-state.ts'
import type { Pdfium } from './pdfium.ts'
import type { PdfMessage, PdfPage, PdfRequest } from './pool.ts'
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
  const lines = readLines(pdfium, page, hiddenTextObjects(pdfium, page))
  if (lines === null) {
    exports.FPDF_ClosePage(page)
    return { number, text: '', state: 'too-large' }
  }
  const strokes = readStrokes(pdfium, page)
  const pageText = wellFormed(layoutText(lines, { strokes }))
  const state = pageState(pdfium, page, pageText)
  const overlay = state === 'image' ? [] : annotationLines(pdfium, document, number, page)
  const content = overlay.length === 0 ? pageText : wellFormed(layoutText(lines, { strokes, overlay }))
  const references = [
    ...linkLines(pdfium, document, page, content),
    ...(number === 1 ? embeddedFileLines(pdfium, document) : []),
  ]
  exports.FPDF_ClosePage(page)
  const text = [content, ...references.map(wellFormed)].filter(line => line !== '').join('\n')
  if (state === 'image') return { number, text: hasWords(pageText) ? text : '', state }
  return hasWords(text) ? { number, text, state: 'text' } : { number, text: '', state }
}
