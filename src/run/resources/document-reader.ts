import { join } from 'node:path'
import type { VersionedReader } from '../../../retrieval/document-reader.ts'

/**
 * The reader of all documents, with tesseract where it is installed. Texts of documents and of images are kept below
 * the folder `cache`, which `openCache` made.
 */
export async function openDocumentReader(cache: string): Promise<VersionedReader> {
  const { createDocumentReader } = await import('../../../retrieval/document-reader.ts')
  const { findTesseract } = await import('../../../retrieval/ocr/tesseract.ts')
  return createDocumentReader({
    cacheFolder: join(cache, 'documents'),
    ocr: () => findTesseract(join(cache, 'ocr')),
  })
}
