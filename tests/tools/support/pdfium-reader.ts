import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { DocumentReader } from '../../../retrieval/document-reader.ts'
import type { DocumentText } from '../../../src/core/document.ts'
import { sha256 } from '../../../src/system/hash.ts'

/**
 * Creates a reader that uses PDFium in this thread and reads other bytes as UTF-8, which is enough to test the
 * tools.
 */
export function pdfiumReader(): DocumentReader & { readonly reads: string[] } {
  const reads: string[] = []
  return {
    reads,
    async read(bytes, name) {
      reads.push(name)
      const common = { sha256: sha256(bytes), reader: 'test', lasting: true }
      if (!new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-')) {
        const text = new TextDecoder().decode(bytes)
        return { ...common, format: 'text', pages: [{ number: 1, text, ocr: false }], problem: null }
      }
      return { ...common, format: 'pdf', ...(await readPdf(bytes)) }
    },
    close: async () => undefined,
  }
}

async function readPdf(bytes: Uint8Array): Promise<Pick<DocumentText, 'pages' | 'problem'>> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(bytes)
    const pages = []
    for (const page of document.pages())
      pages.push({ number: page.number + 1, text: page.getText().replaceAll('\r\n', '\n'), ocr: false })
    document.destroy()
    return { pages, problem: null }
  } catch (error) {
    return { pages: [], problem: error instanceof Error ? error.message : String(error) }
  } finally {
    library.destroy()
  }
}
