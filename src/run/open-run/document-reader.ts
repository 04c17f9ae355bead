import { join } from 'node:path'
import type { VersionedReader } from '../../../retrieval/document-reader.ts'

/**
 * Opens the reader of documents, with tesseract if it is installed.
 *
 * @param cache the folder of `openCache`, below which texts of documents and images are stored
 */
export async function openDocumentReader(cache: string): Promise<VersionedReader> {
  const { createDocumentReader } = await import('../../../retrieval/document-reader.ts')
  const { findTesseract } = await import('../../../retrieval/ocr/tesseract.ts')
  // Tesseract answers while the caller opens other resources. The first use of the reader reports a failure.
  const ocr = findTesseract(join(cache, 'ocr'))
  ocr.catch(() => undefined)
  return createDocumentReader({ cacheFolder: join(cache, 'documents'), ocr: () => ocr })
}
