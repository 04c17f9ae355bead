import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'

let loading: Promise<WrappedPdfiumModule> | null = null

async function loadModule(): Promise<WrappedPdfiumModule> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
  const library = await init({ wasmBinary: Uint8Array.from(wasm).buffer })
  library.PDFiumExt_Init()
  return library
}

/**
 * Reads the characters of each page with PDFium alone, without our layout.
 *
 * @throws Error when the file cannot be opened
 */
export async function readPdfPages(bytes: Uint8Array): Promise<string[]> {
  const library = await (loading ??= loadModule())
  const { malloc, free } = library.pdfium.wasmExports
  const data = malloc(bytes.length)
  library.pdfium.HEAPU8.set(bytes, data)
  const document = library.FPDF_LoadMemDocument(data, bytes.length, '')
  try {
    if (document === 0) throw new Error(`PDFium: error ${library.FPDF_GetLastError()}`)
    return Array.from({ length: library.FPDF_GetPageCount(document) }, (_unused, index) => {
      const page = library.FPDF_LoadPage(document, index)
      const textPage = library.FPDFText_LoadPage(page)
      const codes = Array.from({ length: library.FPDFText_CountChars(textPage) }, (_none, at) =>
        library.FPDFText_GetUnicode(textPage, at),
      )
      library.FPDFText_ClosePage(textPage)
      library.FPDF_ClosePage(page)
      return String.fromCodePoint(...codes).replaceAll('\r\n', '\n')
    })
  } finally {
    library.FPDF_CloseDocument(document)
    free(data)
  }
}
