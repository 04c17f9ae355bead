import type { Line } from './cells.ts'
import { readLines } from './page-lines.ts'
import type { Pdfium, PdfiumExports } from './pdfium.ts'

const asOnScreen = 0
const flattened = 1
const formType = 5
const [linkSubtype, widgetSubtype] = [2, 20]
const [checkbox, radioButton] = [2, 3]
/** The flags of annotations that are not shown: hidden, and no view. */
const unseenFlags = 2 | 32

/**
 * Reads the text that a page's annotations show: values of form fields, signatures and typed notes, and ☒ or ☐ for boxes. PDFium does
 * not read annotations as text. They are therefore drawn into a second copy of the page, from which everything else is
 * removed. Hidden annotations and fields without an appearance have no lines.
 *
 * @param number the page's number, from 1
 * @param page PDFium's handle of the page
 */
export function readAnnotationLines(pdfium: Pdfium, document: number, number: number, page: number): Line[] {
  const { exports } = pdfium
  const subtypes = listAnnotationSubtypes(pdfium, page)
  // Links show no text, and a manual may have thousands of them.
  if (subtypes.every(subtype => subtype === linkSubtype)) return []
  const boxes = subtypes.includes(widgetSubtype) ? takeBoxes(pdfium, document, page) : []
  if (exports.FPDFPage_Flatten(page, asOnScreen) !== flattened) return boxes
  const copy = exports.FPDF_LoadPage(document, number - 1)
  if (copy === 0) return boxes
  const lines = keepLastObject(pdfium, copy) ? (readLines(pdfium, copy) ?? []) : []
  exports.FPDF_ClosePage(copy)
  return [...boxes, ...lines]
}

function listAnnotationSubtypes({ exports }: Pdfium, page: number): number[] {
  return Array.from({ length: exports.FPDFPage_GetAnnotCount(page) }, (_, index) => {
    const annotation = exports.FPDFPage_GetAnnot(page, index)
    const subtype = annotation === 0 ? linkSubtype : exports.FPDFAnnot_GetSubtype(annotation)
    if (annotation !== 0) exports.FPDFPage_CloseAnnot(annotation)
    return subtype
  })
}

/** Reads checkboxes and radio buttons, whose state is a drawing, and removes them from the page. */
function takeBoxes(pdfium: Pdfium, document: number, page: number): Line[] {
  const { exports } = pdfium
  const info = exports.PDFiumExt_OpenFormFillInfo()
  const form = exports.PDFiumExt_InitFormFillEnvironment(document, info)
  exports.FORM_OnAfterLoadPage(page, form)
  const rectangle = exports.malloc(16)
  const lines: Line[] = []
  for (let index = exports.FPDFPage_GetAnnotCount(page) - 1; index >= 0; index--) {
    const annotation = exports.FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const type = exports.FPDFAnnot_GetFormFieldType(form, annotation)
    const isBox = type === checkbox || type === radioButton
    const isShown = isBox && (exports.FPDFAnnot_GetFlags(annotation) & unseenFlags) === 0
    if (isShown && exports.FPDFAnnot_GetRect(annotation, rectangle) !== 0) {
      const text = exports.FPDFAnnot_IsChecked(form, annotation) === 1 ? '☒' : '☐'
      const sides = new Float32Array(pdfium.memory().buffer, rectangle, 4)
      const [left, right] = [Math.min(sides[0]!, sides[2]!), Math.max(sides[0]!, sides[2]!)]
      const [bottom, height] = [Math.min(sides[1]!, sides[3]!), Math.abs(sides[1]! - sides[3]!)]
      lines.unshift({
        cells: [{ text, left, right, gaps: [] }],
        baseline: bottom + 0.2 * height,
        height,
        angle: 0,
      })
    }
    exports.FPDFPage_CloseAnnot(annotation)
    if (isBox) exports.FPDFPage_RemoveAnnot(page, index)
  }
  exports.free(rectangle)
  exports.FORM_OnBeforeClosePage(page, form)
  exports.PDFiumExt_ExitFormFillEnvironment(form)
  exports.PDFiumExt_CloseFormFillInfo(info)
  return lines
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

/** More links or files are not listed. */
const maxReferences = 200
const scratchBytes = 4096

/**
 * Lists the web addresses of a page's links that are not part of its text, each with the words of its link:
 * `Link: data file <https://example.org/data.csv>`.
 */
export function listLinkLines(pdfium: Pdfium, document: number, page: number, text: string): string[] {
  const exports = pdfium.exports
  const scratch = exports.malloc(scratchBytes)
  const buffer = scratch + 32
  const lines = new Set<string>()
  const compact = text.replace(/\s+/g, '')
  let textPage = 0
  pdfium.memory().fill(0, scratch, scratch + 8)
  while (lines.size < maxReferences && exports.FPDFLink_Enumerate(page, scratch, scratch + 4) !== 0) {
    const link = new DataView(pdfium.memory().buffer).getUint32(scratch + 4, true)
    const action = exports.FPDFLink_GetAction(link)
    const bytes =
      action === 0 ? 0 : exports.FPDFAction_GetURIPath(document, action, buffer, scratchBytes - 32)
    if (bytes <= 1 || bytes > scratchBytes - 32) continue
    const url = Buffer.from(pdfium.memory().slice(buffer, buffer + bytes - 1)).toString('utf8')
    if (!/^(?:https?|ftp):/i.test(url) || isShown(compact, url)) continue
    if (textPage === 0) textPage = exports.FPDFText_LoadPage(page)
    lines.add(`Link: ${readLinkWords(pdfium, exports, textPage, link, scratch)}<${url}>`)
  }
  if (textPage !== 0) exports.FPDFText_ClosePage(textPage)
  exports.free(scratch)
  return [...lines]
}

function isShown(compact: string, url: string): boolean {
  return compact.includes(url.replace(/^\w+:\/\/(?:www\.)?/i, '').replace(/\/$/, ''))
}

function readLinkWords(
  pdfium: Pdfium,
  exports: PdfiumExports,
  textPage: number,
  link: number,
  scratch: number,
): string {
  const [rectangle, buffer] = [scratch + 8, scratch + 32]
  if (textPage === 0 || exports.FPDFLink_GetAnnotRect(link, rectangle) === 0) return ''
  const view = new DataView(pdfium.memory().buffer)
  const [left, top, right, bottom] = [0, 4, 8, 12].map(at => view.getFloat32(rectangle + at, true)) as [
    number,
    number,
    number,
    number,
  ]
  const units = exports.FPDFText_GetBoundedText(textPage, left, top, right, bottom, buffer, 200)
  const words = Buffer.from(pdfium.memory().slice(buffer, buffer + 2 * units)).toString('utf16le')
  const plain = words.replace(/[\0-\x20\ufffe\uffff]+/g, ' ').trim()
  return plain === '' ? '' : `${plain} `
}

/** Lists the files that are embedded in a document and are not read. */
export function listEmbeddedFiles(pdfium: Pdfium, document: number): string[] {
  const exports = pdfium.exports
  const count = Math.min(maxReferences, exports.FPDFDoc_GetAttachmentCount(document))
  if (count < 1) return []
  const scratch = exports.malloc(scratchBytes)
  const names: string[] = []
  for (let index = 0; index < count; index++) {
    const attachment = exports.FPDFDoc_GetAttachment(document, index)
    const bytes = attachment === 0 ? 0 : exports.FPDFAttachment_GetName(attachment, scratch, scratchBytes)
    if (bytes <= 2 || bytes > scratchBytes) continue
    names.push(Buffer.from(pdfium.memory().slice(scratch, scratch + bytes - 2)).toString('utf16le'))
  }
  exports.free(scratch)
  return names.map(name => `Embedded file, not read: ${name.replace(/\s+/g, ' ')}`)
}
