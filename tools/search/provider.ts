import type { WebResponse } from '../web/transport.ts'

/** One query to a search service. */
export interface SearchRequest {
  readonly query: string
  /** 1-based. */
  readonly page: number
  readonly language: string | null
  readonly region: string | null
}

/** One search result. */
export interface SearchHit {
  readonly url: string
  readonly title: string
  readonly snippet: string
  readonly position: number | null
}

/** The answer of a search service. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  /**
   * Why the empty result does not mean that the web has none, for example because engines did not respond. Absent
   * otherwise.
   */
  readonly failure?: string
}

/** Sends one request to an address that the operator configured ('service'). Redirects are not followed. */
export type ServiceCall = (
  method: 'GET' | 'POST',
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | null,
) => Promise<WebResponse>

/**
 * A web search service. It returns hits only and drops other content. `search` sends one request. It rejects with
 * ProviderError: `auth` with 'key' in the message for a refused key, `auth` with 'credit' for missing credit, and
 * retryable errors for 429 and 5xx.
 */
export interface SearchProvider {
  readonly name: string
  /** The number of result pages that the service has; absent when unknown. Later pages are never requested. */
  readonly pages?: number
  search(request: SearchRequest, call: ServiceCall): Promise<SearchAnswer>
}
