import type { DocumentTable } from './task.ts'

/** The text of one page of a document. Formats without pages have one page, number 1. */
export interface PageText {
  /** 1-based. */
  readonly number: number
  /** A table has one line per row, with a tab or ` | ` between cells. */
  readonly text: string
  /** True when the text was recognised from an image of the page. */
  readonly ocr: boolean
}

/**
 * The formats of documents, by the readers that they need: `odt` are all files of OpenDocument, `xls` also the workbooks in
 * Excel's binary form.
 */
export const documentFormats = [
  'pdf',
  'html',
  'markdown',
  'text',
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'doc',
  'ppt',
  'xls',
] as const

export type DocumentFormat = (typeof documentFormats)[number]

/** The text of a document, or the reason why it has none. */
export interface DocumentText {
  /** SHA-256 of the bytes, hex. */
  readonly sha256: string
  readonly format: DocumentFormat
  readonly pages: readonly PageText[]
  /** Why the text, or a part of it, could not be read; null when everything was read. */
  readonly problem: string | null
  /**
   * What of the document may be wrong or is left out although it was read, each with its place, such as a formula
   * without a stored value. Absent when there is nothing to say.
   */
  readonly notices?: readonly string[]
  /** The reader of the document and its version. A run's manifest contains it. */
  readonly reader: string
  /** False when a timeout or a crash of the reader left pages out, so that reading the document again may help. */
  readonly lasting: boolean
}

/** A task's document as a setting receives it. When `text` is '', `problem` says why. */
export interface ContextDocument {
  readonly hint: string
  readonly sha256: string | null
  readonly text: string
  readonly problem: string | null
  /** The notices of `DocumentText`. Absent when there are none. */
  readonly notices?: readonly string[]
  /** True when the text of some pages was recognised from images. */
  readonly ocr?: boolean
  /** The number of pages of a file. Absent: unknown. */
  readonly pages?: number
  /** UTF-16 position in `text` at which each page begins, in order. Absent when the document has one page or none. */
  readonly pageStarts?: readonly number[]
  /** The text that ends each row of the tables in `text`. A cut leaves whole rows. Absent: a cut may be anywhere. */
  readonly rowEnd?: string
  /** The tables that `text` shows. Absent unless the document consists of tables. */
  readonly tables?: readonly DocumentTable[]
}

/** Whether a document has text, but some of its pages could not be read. A file under a wrong name is read completely. */
export function isPartlyUnread(text: string, problem: string | null): boolean {
  return text !== '' && problem !== null && !problem.startsWith('misnamed: ')
}

/** A piece of a document. */
export interface Chunk {
  /** `${sha256 of the document}:${index}` */
  readonly id: string
  /** The document's name. */
  readonly hint: string
  readonly index: number
  /** UTF-16 position in the document's text. */
  readonly start: number
  readonly end: number
  readonly text: string
}

const pageBreak = '\n\n'

/** Joins the pages of a document into one text, with a blank line between pages. */
export function joinPages(pages: readonly PageText[]): string {
  return pages.map(page => page.text).join(pageBreak)
}

/** Returns where each page begins in the text of `joinPages`. A page without text begins where the next page begins. */
export function listPageStarts(pages: readonly PageText[]): number[] {
  const starts: number[] = []
  let length = 0
  for (const { text } of pages) {
    starts.push(length)
    if (text.trim() !== '') length += text.length + pageBreak.length
  }
  return starts
}

/** The endings of the names of documents. */
export const documentEndings = 'pdf|md|markdown|txt|html?|csv|doc[xm]?|xls[xmb]?|ppt[xm]?|pps[xm]?|od[tps]'

const extension = new RegExp(`\\.(?:${documentEndings})$`, 'i')

/** Returns a document's name without its folder and without a known file extension. */
export function documentStem(name: string): string {
  const plain = name.trim().replaceAll('\\', '/')
  return plain.slice(plain.lastIndexOf('/') + 1).replace(extension, '')
}
