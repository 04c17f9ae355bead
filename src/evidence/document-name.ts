import { documentStem } from '../core/document.ts'

/** A name without path, known file extension, case and width of letters. */
export const bareName = (name: string): string => documentStem(name.normalize('NFKC').toLowerCase())

/** Whether two names mean one document: path, known file extension, case and width of letters aside. */
export function sameDocumentName(left: string, right: string): boolean {
  const bare = bareName(left)
  return bare !== '' && bare === bareName(right)
}
