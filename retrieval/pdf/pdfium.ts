import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readingLimits } from '../../src/system/reading-limits.ts'
import { outOfMemoryExit } from '../../src/system/worker-pool.ts'

/**
 * The WebAssembly functions of PDFium that Tablehunt calls: documents, pages, annotations, text, links, layers, paths and
 * drawing. Pointers and handles are numbers; booleans are 0 or 1.
 */
export interface PdfiumExports {
  PDFiumExt_Init(): void
  malloc(bytes: number): number
  free(pointer: number): void
  FPDF_LoadMemDocument(data: number, bytes: number, password: number): number
  FPDF_GetLastError(): number
  FPDF_GetPageCount(document: number): number
  FPDF_CloseDocument(document: number): void
  FPDF_LoadPage(document: number, index: number): number
  FPDF_ClosePage(page: number): void
  FPDFPage_CountObjects(page: number): number
  FPDFPage_GetObject(page: number, index: number): number
  FPDFPage_RemoveObject(page: number, object: number): number
  FPDFPageObj_GetType(object: number): number
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number
  FPDFPageObj_Destroy(object: number): void
  FPDFPage_GetAnnotCount(page: number): number
  FPDFPage_GetAnnot(page: number, index: number): number
  FPDFPage_CloseAnnot(annotation: number): void
  FPDFAnnot_GetSubtype(annotation: number): number
  FPDFAnnot_GetFlags(annotation: number): number
  /** Writes four floats: left, top, right and bottom. */
  FPDFAnnot_GetRect(annotation: number, rectangle: number): number
  FPDFAnnot_GetFormFieldType(form: number, annotation: number): number
  FPDFAnnot_IsChecked(form: number, annotation: number): number
  FPDFPage_RemoveAnnot(page: number, index: number): number
  PDFiumExt_OpenFormFillInfo(): number
  PDFiumExt_CloseFormFillInfo(info: number): void
  PDFiumExt_InitFormFillEnvironment(document: number, info: number): number
  PDFiumExt_ExitFormFillEnvironment(form: number): void
  FORM_OnAfterLoadPage(page: number, form: number): void
  FORM_OnBeforeClosePage(page: number, form: number): void
  /** Draws the annotations into the page's content. The page must be loaded again to show them. */
  FPDFPage_Flatten(page: number, usage: number): number
  FPDFText_LoadPage(page: number): number
  FPDFText_ClosePage(text: number): void
  FPDFText_CountChars(text: number): number
  /** Returns the page object that draws a character; 0 for a generated character. */
  FPDFText_GetTextObject(text: number, index: number): number
  FPDFText_GetUnicode(text: number, index: number): number
  FPDFText_IsGenerated(text: number, index: number): number
  FPDFText_HasUnicodeMapError(text: number, index: number): number
  /** Returns the length of the font's name in bytes, including the zero at its end. */
  FPDFText_GetFontInfo(text: number, index: number, buffer: number, bytes: number, flags: number): number
  FPDFText_GetCharAngle(text: number, index: number): number
  FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number
  FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number
  FPDF_GetPageWidthF(page: number): number
  FPDF_GetPageHeightF(page: number): number
  FPDFLink_Enumerate(page: number, position: number, link: number): number
  FPDFLink_GetAction(link: number): number
  FPDFLink_GetAnnotRect(link: number, rectangle: number): number
  FPDFAction_GetURIPath(document: number, action: number, buffer: number, bytes: number): number
  FPDFText_GetBoundedText(
    text: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    buffer: number,
    units: number,
  ): number
  FPDFDoc_GetAttachmentCount(document: number): number
  FPDFDoc_GetAttachment(document: number, index: number): number
  FPDFAttachment_GetName(attachment: number, buffer: number, bytes: number): number
  FPDFBitmap_CreateEx(width: number, height: number, format: number, scan: number, stride: number): number
  FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    color: number,
  ): void
  FPDFBitmap_GetBuffer(bitmap: number): number
  FPDFBitmap_GetStride(bitmap: number): number
  FPDFBitmap_Destroy(bitmap: number): void
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotation: number,
    flags: number,
  ): void
  FPDFPageObj_CountMarks(object: number): number
  FPDFPageObj_GetMark(object: number, index: number): number
  FPDFPageObj_RemoveMark(object: number, mark: number): number
  FPDFPageObjMark_GetName(mark: number, buffer: number, bytes: number, written: number): number
  FPDFPageObj_SetIsActive(object: number, isActive: number): number
  FPDFFormObj_CountObjects(form: number): number
  FPDFFormObj_GetObject(form: number, index: number): number
  FPDFTextObj_SetTextRenderMode(object: number, mode: number): number
  FPDFPageObj_SetFillColor(object: number, red: number, green: number, blue: number, alpha: number): number
  FPDF_GetPageBoundingBox(page: number, rectangle: number): number
  FPDFText_GetFontSize(text: number, index: number): number
  /** Writes six floats. */
  FPDFText_GetMatrix(text: number, index: number, matrix: number): number
  FPDFPath_CountSegments(path: number): number
  FPDFPath_GetPathSegment(path: number, index: number): number
  FPDFPath_GetDrawMode(path: number, fill: number, stroke: number): number
  FPDFPathSegment_GetType(segment: number): number
  FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number
  FPDFPathSegment_GetClose(segment: number): number
  FPDFPageObj_GetMatrix(object: number, matrix: number): number
  FPDFPageObj_GetFillColor(object: number, red: number, green: number, blue: number, alpha: number): number
}

/** A loaded PDFium module. */
export interface Pdfium {
  readonly exports: PdfiumExports
  /** Returns the module's current memory. The buffer is replaced when the memory grows. */
  memory(): Uint8Array
}

/**
 * Loads PDFium's WebAssembly build, which takes a few hundred milliseconds. The thread ends when PDFium needs more memory
 * than `readingLimits.pdfMegabytes`, because PDFium has no limit of its own below 2 GB.
 */
export async function loadPdfium(): Promise<Pdfium> {
  limitMemory(readingLimits.pdfMegabytes * 1024 * 1024)
  const { init } = await import('@embedpdf/pdfium')
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
  const { pdfium } = await init({ wasmBinary: new Uint8Array(wasm).buffer })
  const exports = pdfium.wasmExports as unknown as PdfiumExports
  exports.PDFiumExt_Init()
  return { exports, memory: () => pdfium.HEAPU8 }
}

/** The used part of the global WebAssembly, which Node's types do not declare. */
interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

const wasmPageBytes = 65_536

function limitMemory(bytes: number): void {
  const { prototype } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } })
    .WebAssembly.Memory
  const { grow } = prototype
  prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * wasmPageBytes > bytes) process.exit(outOfMemoryExit)
    return grow.call(this, pages)
  }
}
