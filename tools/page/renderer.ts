import type { Transport } from '../web/transport.ts'

/** A page that has scripts and less text than this, in characters, is treated as not yet written. */
export const emptyPageChars = 200

/** A page whose scripts should run. */
export interface RenderRequest {
  /** The page's URL after all redirects. */
  readonly url: string
  /** The downloaded bytes, so that the page is not fetched again. */
  readonly bytes: Uint8Array
  readonly contentType: string
  /** Carries every request of the page, so that its guards apply. */
  readonly transport: Transport
  readonly signal: AbortSignal
  /** The attempt. Pages with the same owner share cookies; other pages cannot see them. */
  readonly owner: object
}

/** A page after its scripts have run. */
export interface RenderedPage {
  readonly html: string
  /** The URL to which scripts navigated. */
  readonly finalUrl: string
}

/** Runs the scripts of pages. Rejects with ToolError when a page cannot be rendered, or with the signal's reason. */
export interface PageRenderer {
  /** Stored in the run's manifest. */
  readonly name: string
  render(request: RenderRequest): Promise<RenderedPage>
  /** Deletes the cookies and pages of an attempt. */
  release(owner: object): Promise<void>
  close(): Promise<void>
}
