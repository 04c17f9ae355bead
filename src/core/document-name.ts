const extension = /\.(?:pdf|md|markdown|txt|html?|docx?|xlsx?|csv)$/i

/** A document's name without folder and known file extension. */
export function documentStem(name: string): string {
  const plain = name.trim().replaceAll('\\', '/')
  return plain.slice(plain.lastIndexOf('/') + 1).replace(extension, '')
}
