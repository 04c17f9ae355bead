import { drawPage } from '../pdf/draw-page.ts'
import type { Pdfium, PdfiumExports } from '../pdf/pdfium.ts'

/** A message to the rendering thread: first the bytes of the PDF, then one page number (from 1) at a time. */
export type PageImageRequest = { readonly bytes: Uint8Array } | { readonly page: number }

/** A page as an image. */
export interface PageImage {
  readonly number: number
  /** A binary PGM file; null when the page could not be rendered. */
  readonly image: Uint8Array | null
}

/** The resolution at which tesseract recognises text best. */
const dotsPerInch = 300
const pointsPerInch = 72
const maxPixelsPerSide = 6_000

/**
 * Opens a PDF, which stays in PDFium's memory.
 *
 * @returns a function that renders a page, numbered from 1, as a gray image
 */
export function openForRendering(pdfium: Pdfium, bytes: Uint8Array): (number: number) => PageImage {
  const exports = pdfium.exports
  const data = exports.malloc(bytes.length)
  pdfium.memory().set(bytes, data)
  const document = exports.FPDF_LoadMemDocument(data, bytes.length, 0)
  return number => {
    const page = document === 0 ? 0 : exports.FPDF_LoadPage(document, number - 1)
    if (page === 0) return { number, image: null }
    const image = renderPage(pdfium, exports, page)
    exports.FPDF_ClosePage(page)
    return { number, image }
  }
}

function renderPage(pdfium: Pdfium, exports: PdfiumExports, page: number): Uint8Array | null {
  const [widthPoints, heightPoints] = [exports.FPDF_GetPageWidthF(page), exports.FPDF_GetPageHeightF(page)]
  const maxScale = maxPixelsPerSide / Math.max(widthPoints, heightPoints, 1)
  const scale = Math.min(dotsPerInch / pointsPerInch, maxScale)
  const [width, height] = [Math.round(widthPoints * scale), Math.round(heightPoints * scale)]
  if (width < 1 || height < 1) return null
  return drawPage(pdfium, page, { width, height, withAnnotations: true }, rows => {
    const header = Buffer.from(`P5\n${width} ${height}\n255\n`)
    const image = new Uint8Array(header.length + width * height)
    image.set(header)
    let at = header.length
    for (const row of rows) {
      image.set(row, at)
      at += width
    }
    return image
  })
}
