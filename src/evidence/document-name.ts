const extension = /\.(?:pdf|md|markdown|txt|html?|docx?|xlsx?|csv)$/

function bareName(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase().trim().replaceAll('\\', '/')
  return folded.slice(folded.lastIndexOf('/') + 1).replace(extension, '')
}

/** Whether two names mean one document: path, known file extension, case and width of letters aside. */
export function sameDocumentName(left: string, right: string): boolean {
  const bare = bareName(left)
  return bare !== '' && bare === bareName(right)
}
