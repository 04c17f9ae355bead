import type { Clock } from '../../src/core/runtime.ts'
import type { Transport } from '../web/transport.ts'
import type { PageBody } from './body-type.ts'
import type { LinkedText } from './html-page.ts'
import type { PageLink } from './links.ts'
import type { PageRenderer } from './renderer.ts'

/** A page as text, ready to be shown part by part. */
export interface ReadPage {
  readonly url: string
  readonly title: string
  /** Markdown with the link marks of links.ts. */
  readonly marked: string
  /** The page's own text, without the marks. */
  readonly text: string
  readonly links: readonly PageLink[]
  /** All of the page's text, when `text` is only its main text, and the share that this has. Absent: there is no more. */
  readonly all?: LinkedText & { readonly mainShare: number }
  /** Shown before the text, for example why there is none. */
  readonly note: string | null
}

/** The parts of an attempt's tool environment that a page reader needs. */
export interface PageEnvironment {
  readonly transport: Transport
  readonly renderer?: PageRenderer | null
  readonly clock: Clock
  readonly signal: AbortSignal
  charge(kind: 'fetchCalls', what: string): void
  retried(what: string, reason: string, retry: number, waitMs: number): void
}

/**
 * Extracts the text of a web page. The HTML has already been fetched and has passed the guards. Every further
 * request of the reader is charged. It rejects with ToolError or BudgetRefusedError.
 */
export interface PageReader {
  /** Stored in the run's manifest. */
  readonly name: string
  /** Whether the reader fetches the page by itself, so that it can read pages that refuse us. Absent: no. */
  readonly fetches?: boolean
  read(body: PageBody, environment: PageEnvironment): Promise<ReadPage>
}
