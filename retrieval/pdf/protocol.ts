/** What the pool asks of a worker: the pages from `firstPage` on (1-based). */
export interface PdfRequest {
  readonly bytes: Uint8Array
  readonly firstPage: number
}

/** `blank` has nothing drawn on it, `image` has pictures or outlines but no text, `failed` could not be loaded. */
export type PdfPageState = 'text' | 'blank' | 'image' | 'failed'

export interface PdfPage {
  readonly number: number
  readonly text: string
  readonly state: PdfPageState
}

/** What a worker answers, in this order: one `opened` or `refused`, a `page` for each, one `done`. */
export type PdfMessage =
  | { readonly type: 'opened'; readonly pages: number }
  | { readonly type: 'refused'; readonly problem: string }
  | { readonly type: 'page'; readonly page: PdfPage }
  | { readonly type: 'done'; readonly memoryBytes: number }
