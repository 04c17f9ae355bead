import { drawPage } from './draw-page.ts'
import type { Pdfium, PdfiumExports } from './pdfium.ts'

const [textType, formType] = [1, 5]
const filled = 0
/** More layers of a page are not tried one by one; their text is kept. */
const maxLayers = 100
/** The size in pixels of the drawing in which a layer's ink is looked for. */
const [width, height] = [400, 520]
const markName = 'OC'

interface Layer {
  /** The objects of the page that belong to the layer. */
  readonly objects: { readonly object: number; readonly mark: number }[]
}

/**
 * Returns the text objects of the layers that are switched off in the document (optional content). PDFium reads them as text
 * but does not draw them. A layer is therefore off when its text has ink only without the layer's mark.
 *
 * @param page PDFium's handle of the page
 */
export function listHiddenTexts(pdfium: Pdfium, page: number): ReadonlySet<number> {
  const exports = pdfium.exports
  const layers = findLayers(pdfium, exports, page)
  const hidden = new Set<number>()
  if (layers.length === 0 || layers.length > maxLayers) return hidden
  const pageObjects = Array.from({ length: exports.FPDFPage_CountObjects(page) }, (_, index) =>
    exports.FPDFPage_GetObject(page, index),
  )
  for (const object of pageObjects) exports.FPDFPageObj_SetIsActive(object, 0)
  for (const { objects } of layers) {
    const texts = objects.flatMap(({ object }) => listTexts(exports, object))
    for (const text of texts) {
      exports.FPDFTextObj_SetTextRenderMode(text, filled)
      exports.FPDFPageObj_SetFillColor(text, 0, 0, 0, 255)
    }
    for (const { object } of objects) exports.FPDFPageObj_SetIsActive(object, 1)
    if (texts.length > 0 && !hasInk(pdfium, page)) {
      for (const { object, mark } of objects) exports.FPDFPageObj_RemoveMark(object, mark)
      if (hasInk(pdfium, page)) for (const text of texts) hidden.add(text)
    }
    for (const { object } of objects) exports.FPDFPageObj_SetIsActive(object, 0)
  }
  for (const object of pageObjects) exports.FPDFPageObj_SetIsActive(object, 1)
  return hidden
}

function findLayers(pdfium: Pdfium, exports: PdfiumExports, page: number): Layer[] {
  const layers = new Map<number, Layer>()
  const scratch = exports.malloc(16)
  const count = exports.FPDFPage_CountObjects(page)
  for (let index = 0; index < count; index++) {
    const object = exports.FPDFPage_GetObject(page, index)
    const type = exports.FPDFPageObj_GetType(object)
    if (type !== textType && type !== formType) continue
    for (let at = exports.FPDFPageObj_CountMarks(object) - 1; at >= 0; at--) {
      const mark = exports.FPDFPageObj_GetMark(object, at)
      if (!isLayerMark(pdfium, exports, mark, scratch)) continue
      const layer = layers.get(mark) ?? { objects: [] }
      layers.set(mark, layer)
      layer.objects.push({ object, mark })
      break
    }
  }
  exports.free(scratch)
  return [...layers.values()]
}

/** The name is UTF-16 with a zero at its end. */
function isLayerMark(pdfium: Pdfium, exports: PdfiumExports, mark: number, scratch: number): boolean {
  if (exports.FPDFPageObjMark_GetName(mark, scratch, 8, scratch + 8) === 0) return false
  const memory = pdfium.memory()
  return [...markName, '\0'].every((letter, at) => memory[scratch + 2 * at] === letter.charCodeAt(0))
}

function listTexts(exports: PdfiumExports, object: number): number[] {
  const type = exports.FPDFPageObj_GetType(object)
  if (type !== formType) return type === textType ? [object] : []
  return Array.from({ length: Math.max(0, exports.FPDFFormObj_CountObjects(object)) }, (_, index) =>
    listTexts(exports, exports.FPDFFormObj_GetObject(object, index)),
  ).flat()
}

function hasInk(pdfium: Pdfium, page: number): boolean {
  const isInked = drawPage(pdfium, page, { width, height, withAnnotations: false }, rows => {
    for (const row of rows) if (row.some(value => value !== 255)) return true
    return false
  })
  return isInked ?? true
}
