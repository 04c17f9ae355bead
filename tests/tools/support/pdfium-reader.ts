import type { DocumentReader } from '../../../retrieval/document-reader.ts'
import type { DocumentText } from '../../../src/core/document.ts'
import { sha256 } from '../../../src/system/hash.ts'
import { readPdfPages } from './pdf-pages.ts'

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
  try {
    const texts = await readPdfPages(bytes)
    return { pages: texts.map((text, at) => ({ number: at + 1, text, ocr: false })), problem: null }
  } catch (error) {
    return { pages: [], problem: error instanceof Error ? error.message : String(error) }
  }
}
