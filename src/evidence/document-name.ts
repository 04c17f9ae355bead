import { documentStem } from '../core/document.ts'
import { foldCase } from '../text/plain-text.ts'

/** A document name in lower case, without path, known file extension and differences in letter width. */
export const normaliseDocumentName = (name: string): string => documentStem(foldCase(name.normalize('NFKC')))

/** Whether two names denote the same document, ignoring path, known file extension, case and letter width. */
export function isSameDocumentName(left: string, right: string): boolean {
  const bare = normaliseDocumentName(left)
  return bare !== '' && bare === normaliseDocumentName(right)
}
