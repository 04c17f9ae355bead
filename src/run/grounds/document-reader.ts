import { join } from 'node:path'
import type { DocumentReader } from '../../../retrieval/document-reader.ts'
import { requireWritable } from '../require-writable.ts'

/**
 * The reader of all documents: texts and what was read off images are kept below `cache`; tesseract where it is
 * installed. ConfigError where `cache` can't be written.
 */
export async function openDocumentReader(cache: string): Promise<DocumentReader> {
  await requireWritable('--cache', cache)
  const { createDocumentReader } = await import('../../../retrieval/document-reader.ts')
  const { findTesseract } = await import('../../../retrieval/ocr/tesseract.ts')
  return createDocumentReader({
    cacheFolder: join(cache, 'documents'),
    ocr: () => findTesseract(join(cache, 'ocr')),
  })
}
