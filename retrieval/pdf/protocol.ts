/** The pool's request to a worker: read the pages from `firstPage` on, numbered from 1. */
export interface PdfRequest {
  /** The file. The worker replaces it by an empty array when PDFium has a copy, so that the memory can be freed. */
  bytes: Uint8Array
  readonly firstPage: number
}

/**
 * What a page contains: text, nothing (`blank`), or pictures or outlines without text (`image`). A page that could not
 * be loaded is `failed`.
 */
export type PdfPageState = 'text' | 'blank' | 'image' | 'failed'

/** A page that a worker read. */
export interface PdfPage {
  readonly number: number
  readonly text: string
  readonly state: PdfPageState
}

/** A worker's answers, in this order: one `opened` or `refused`, one `page` for each page, one `done`. */
export type PdfMessage =
  | { readonly type: 'opened'; readonly pages: number }
  | { readonly type: 'refused'; readonly problem: string }
  | { readonly type: 'page'; readonly page: PdfPage }
  | { readonly type: 'done'; readonly memoryBytes: number }
