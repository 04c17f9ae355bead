/** One page of a document as text; formats without pages have one page, number 1. */
export interface PageText {
  /** 1-based. */
  readonly number: number
  /** Table rows stand one a line, cells apart by a tab or ` | `. */
  readonly text: string
  /** True where the text was read off an image of the page. */
  readonly ocr: boolean
}

export type DocumentFormat = 'pdf' | 'html' | 'markdown' | 'text' | 'docx' | 'xlsx'

/** A document's text, or why it has none. */
export interface DocumentText {
  /** SHA-256 of the bytes, hex. */
  readonly sha256: string
  readonly format: DocumentFormat
  readonly pages: readonly PageText[]
  /** Why no text, or only part of it, could be read; null when all is well. */
  readonly problem: string | null
  /** Which reader made the text, with its version: part of a run's manifest. */
  readonly reader: string
  /** False where pages were given up for want of time or with a reader that died: another reading may bring them. */
  readonly lasting: boolean
}

/** A task's document as a setting gets it. `text` is '' where `problem` says why. */
export interface ContextDocument {
  readonly hint: string
  readonly sha256: string | null
  readonly text: string
  readonly problem: string | null
  /** True where pages of it were read off their images. */
  readonly ocr?: boolean
}

/** A piece of a document; offsets are UTF-16 positions in the document's text. */
export interface Chunk {
  /** `${sha256 of the document}:${index}` */
  readonly id: string
  readonly hint: string
  readonly index: number
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A document's pages as one text, parted by a blank line. */
export function joinPages(pages: readonly PageText[]): string {
  return pages.map(page => page.text).join('\n\n')
}

const extension = /\.(?:pdf|md|markdown|txt|html?|docx?|xlsx?|csv)$/i

/** A document's name without folder and known file extension. */
export function documentStem(name: string): string {
  const plain = name.trim().replaceAll('\\', '/')
  return plain.slice(plain.lastIndexOf('/') + 1).replace(extension, '')
}
