import type { Line } from './cells.ts'
import { linesOf } from './page-lines.ts'
import type { Pdfium } from './pdfium.ts'

const asOnScreen = 0
const flattened = 1
const formType = 5
const linkSubtype = 2

/**
 * Reads the text that a page's annotations show: values of form fields, signatures and typed notes. PDFium does not
 * read annotations as text. They are therefore drawn into a second copy of the page, from which everything else is
 * removed. Hidden annotations and fields without an appearance have no lines.
 *
 * @param number the page's number, from 1
 * @param page PDFium's handle of the page
 */
export function annotationLines(pdfium: Pdfium, document: number, number: number, page: number): Line[] {
  const { exports } = pdfium
  if (!hasMoreThanLinks(pdfium, page)) return []
  if (exports.FPDFPage_Flatten(page, asOnScreen) !== flattened) return []
  const copy = exports.FPDF_LoadPage(document, number - 1)
  if (copy === 0) return []
  const lines = keepLastObject(pdfium, copy) ? (linesOf(pdfium, copy) ?? []) : []
  exports.FPDF_ClosePage(copy)
  return lines
}

/** Links show no text, and a manual may have thousands of them. */
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

/** Removes all objects but the last, the form object with the annotations. Returns false when there is none. */
function keepLastObject({ exports }: Pdfium, page: number): boolean {
  const count = exports.FPDFPage_CountObjects(page)
  if (count < 1) return false
  if (exports.FPDFPageObj_GetType(exports.FPDFPage_GetObject(page, count - 1)) !== formType) return false
  for (let remaining = count; remaining > 1; remaining--) {
    const object = exports.FPDFPage_GetObject(page, 0)
    if (exports.FPDFPage_RemoveObject(page, object) === 0) return false
    exports.FPDFPageObj_Destroy(object)
  }
  return true
}
