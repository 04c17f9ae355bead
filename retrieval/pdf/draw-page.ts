import type { Pdfium, PdfiumExports } from './pdfium.ts'

/** The size of a drawing in pixels, and whether annotations are drawn. */
export interface DrawOptions {
  readonly width: number
  readonly height: number
  readonly withAnnotations: boolean
}

const grayFormat = 1
const white = 0xffffffff
const annotationsFlag = 1

/**
 * Draws a page on white.
 *
 * @param page PDFium's handle of the page
 * @param useRows receives the gray values of the drawing, from 0 (black) to 255, row by row; they are valid during the call
 * @returns what `useRows` returns; null when there is no memory for the drawing
 */
export function drawPage<Result>(
  pdfium: Pdfium,
  page: number,
  { width, height, withAnnotations }: DrawOptions,
  useRows: (rows: Iterable<Uint8Array>) => Result,
): Result | null {
  const exports = pdfium.exports
  const bitmap = exports.FPDFBitmap_CreateEx(width, height, grayFormat, 0, 0)
  if (bitmap === 0) return null
  exports.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
  exports.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, withAnnotations ? annotationsFlag : 0)
  const result = useRows(readBitmapRows(pdfium.memory(), exports, bitmap, width, height))
  exports.FPDFBitmap_Destroy(bitmap)
  return result
}

function* readBitmapRows(
  memory: Uint8Array,
  exports: PdfiumExports,
  bitmap: number,
  width: number,
  height: number,
): Iterable<Uint8Array> {
  const start = exports.FPDFBitmap_GetBuffer(bitmap)
  const stride = exports.FPDFBitmap_GetStride(bitmap)
  for (let row = 0; row < height; row++)
    yield memory.subarray(start + row * stride, start + row * stride + width)
}
