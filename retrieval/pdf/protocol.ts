import type { DoneMessage } from '../../src/system/worker-pool.ts'

/** The pool's request to a worker: read the pages from `firstPage` on, numbered from 1. */
export interface PdfRequest {
  /** The file. The worker replaces it by an empty array when PDFium has a copy, so that the memory can be freed. */
  bytes: Uint8Array
  readonly firstPage: number
  /** The characters of the pages before `firstPage`, which count towards the limit of a document. */
  readonly charsBefore: number
}

/**
 * What a page contains: text, nothing (`blank`), or pictures, outlines or unknown glyphs with little or no text beside them
 * (`image`). A page that could not be loaded is `failed`. A page with too many characters is `too-large`.
 */
export type PdfPageState = 'text' | 'blank' | 'image' | 'failed' | 'too-large'

/** A page that a worker read. */
export interface PdfPage {
  readonly number: number
  readonly text: string
  readonly state: PdfPageState
}

/**
 * A worker's answers, in this order: one `opened`, one `page` for each page, one `done`. `refused` comes in place of
 * `opened`, or before `done` when the document is too large.
 */
export type PdfMessage =
  | { readonly type: 'opened'; readonly pages: number }
  | { readonly type: 'refused'; readonly problem: string }
  | { readonly type: 'page'; readonly page: PdfPage }
  | DoneMessage
