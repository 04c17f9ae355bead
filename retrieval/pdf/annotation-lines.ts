import type { Line } from './lines.ts'
import { linesOf } from './page-lines.ts'
import type { Pdfium } from './pdfium.ts'

const asOnScreen = 0
const flattened = 1
const formType = 5
const linkSubtype = 2

/**
 * The lines of what a page's annotations show: values of form fields, signatures, typed notes. PDFium reads none of them
 * as text, so they are drawn into a second copy of the page, from which all else is taken. Hidden ones do not count,
 * nor fields that hold a value but no appearance.
 */
export function annotationLines(pdfium: Pdfium, document: number, number: number, page: number): Line[] {
  const { exports } = pdfium
  if (!hasMoreThanLinks(pdfium, page)) return []
  if (exports.FPDFPage_Flatten(page, asOnScreen) !== flattened) return []
  const copy = exports.FPDF_LoadPage(document, number - 1)
  if (copy === 0) return []
  const lines = keepLastObject(pdfium, copy) ? linesOf(pdfium, copy) : []
  exports.FPDF_ClosePage(copy)
  return lines
}

/** Links, of which a manual has thousands, show nothing. */
function hasMoreThanLinks({ exports }: Pdfium, page: number): boolean {
  const count = exports.FPDFPage_GetAnnotCount(page)
  for (let index = 0; index < count; index++) {
    const annotation = exports.FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const subtype = exports.FPDFAnnot_GetSubtype(annotation)
    exports.FPDFPage_CloseAnnot(annotation)
    if (subtype !== linkSubtype) return true
  }
  return false
}

/** The annotations are one form object behind all others; false where it is not there. */
function keepLastObject({ exports }: Pdfium, page: number): boolean {
  const count = exports.FPDFPage_CountObjects(page)
  if (count < 1) return false
  if (exports.FPDFPageObj_GetType(exports.FPDFPage_GetObject(page, count - 1)) !== formType) return false
  for (let left = count; left > 1; left--) {
    const object = exports.FPDFPage_GetObject(page, 0)
    if (exports.FPDFPage_RemoveObject(page, object) === 0) return false
    exports.FPDFPageObj_Destroy(object)
  }
  return true
}
