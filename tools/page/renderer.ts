import type { Transport } from '../web/transport.ts'

/** A page with scripts and fewer characters of text is empty: they have yet to write it. */
export const emptyPageChars = 200

/** A page whose scripts should be run. */
export interface RenderRequest {
  /** Where the page stands, redirects followed. */
  readonly url: string
  /** Its bytes as they came, so that it is not fetched again. */
  readonly bytes: Uint8Array
  readonly contentType: string
  /** Everything the page loads goes through it, so that its guards hold. */
  readonly transport: Transport
  readonly signal: AbortSignal
  /** Pages with the same owner, an attempt, share cookies; others see nothing of them. */
  readonly owner: object
}

export interface RenderedPage {
  readonly html: string
  /** Where scripts led. */
  readonly finalUrl: string
}

/** Runs a page's scripts. Rejects with ToolError where it can't, or with the signal's reason. */
export interface PageRenderer {
  /** For a run's manifest. */
  readonly name: string
  render(request: RenderRequest): Promise<RenderedPage>
  /** Forgets an attempt's cookies and pages. */
  release(owner: object): Promise<void>
  close(): Promise<void>
}
