import type { Transport, WebResponse } from '../web/transport.ts'

/** A page that has scripts and less text than this, in characters, is treated as not yet written. */
export const emptyPageChars = 200

/** A page that the browser should fetch by itself. */
export interface OpenRequest {
  readonly url: string
  /** Carries every request of the page, so that its guards apply. */
  readonly transport: Transport
  readonly signal: AbortSignal
  /** The attempt. Pages with the same owner share cookies; other pages cannot see them. */
  readonly owner: object
}

/** A page whose scripts should run. `url` is its address after all redirects. */
export interface RenderRequest extends OpenRequest {
  /** The downloaded bytes, so that the page is not fetched again. */
  readonly bytes: Uint8Array
  readonly contentType: string
}

/** A page after its scripts have run. */
export interface RenderedPage {
  readonly html: string
  /** The URL to which scripts navigated. */
  readonly finalUrl: string
}

/** Shows pages as a browser does. Rejects with ToolError when it cannot show a page, or with the signal's reason. */
export interface PageRenderer {
  /** Stored in the run's manifest. */
  readonly name: string
  /** Runs the scripts of a downloaded page. */
  render(request: RenderRequest): Promise<RenderedPage>
  /**
   * Fetches an address with the headers and cookies of a browser. Returns a web page after its scripts have run, and any
   * other file as the server sent it. The status is that of the last answer, so that it may report an error.
   */
  open(request: OpenRequest): Promise<WebResponse>
  /** Deletes the cookies and pages of an attempt. */
  release(owner: object): Promise<void>
  close(): Promise<void>
}
