import { documentStem } from '../core/document.ts'
import { foldCase } from '../text/plain-text.ts'

/** A document name in lower case, without path, known file extension and differences in letter width. */
export const normalisedDocumentName = (name: string): string => documentStem(foldCase(name.normalize('NFKC')))

/** Whether two names denote the same document, ignoring path, known file extension, case and letter width. */
export function sameDocumentName(left: string, right: string): boolean {
  const bare = normalisedDocumentName(left)
  return bare !== '' && bare === normalisedDocumentName(right)
}
