import type { Clock } from '../../src/core/runtime.ts'
import type { Transport } from '../web/transport.ts'
import type { PageBody } from './body-type.ts'
import type { PageLink } from './links.ts'
import type { PageRenderer } from './renderer.ts'

/** A page as text, ready to be shown part by part. */
export interface ReadPage {
  readonly url: string
  readonly title: string
  /** Markdown with the marks of links.ts. */
  readonly marked: string
  /** The same without marks: the page's own text. */
  readonly text: string
  readonly links: readonly PageLink[]
  /** Said before the text, such as why there is none. */
  readonly note: string | null
}

/** The part of an attempt's tool environment that reading a page takes. */
export interface PageGrounds {
  readonly transport: Transport
  readonly renderer?: PageRenderer | null
  readonly clock: Clock
  readonly signal: AbortSignal
  charge(kind: 'fetchCalls', what: string): void
  retried(what: string, reason: string, retry: number, waitMs: number): void
}

/**
 * Makes text of a web page whose HTML was fetched, so that it has passed the guards already. Rejects with ToolError
 * or BudgetRefusedError; each request of its own is charged.
 */
export interface PageReader {
  /** For a run's manifest. */
  readonly name: string
  read(body: PageBody, grounds: PageGrounds): Promise<ReadPage>
}
