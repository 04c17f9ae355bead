import { join } from 'node:path'
import type { DocumentReader } from '../../retrieval/document-reader.ts'

/** The reader of all documents: texts and what was read off images are kept below `cache`; tesseract where it is installed. */
export async function openDocumentReader(cache: string): Promise<DocumentReader> {
  const { createDocumentReader } = await import('../../retrieval/document-reader.ts')
  const { findTesseract } = await import('../../retrieval/ocr/tesseract.ts')
  return createDocumentReader({
    cacheFolder: join(cache, 'documents'),
    ocr: () => findTesseract(join(cache, 'ocr')),
  })
}
