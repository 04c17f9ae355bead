import type { WebResponse } from '../web/transport.ts'

export interface SearchRequest {
  readonly query: string
  /** 1-based. */
  readonly page: number
  readonly language: string | null
  readonly region: string | null
}

export interface SearchHit {
  readonly url: string
  readonly title: string
  readonly snippet: string
  readonly position: number | null
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  /** Why nothing was found where that says nothing of the web, such as engines that did not answer; absent: not so. */
  readonly silence?: string
}

/** Sends one request of the operator's own making ('service'); redirects are not followed. */
export type ServiceCall = (
  method: 'GET' | 'POST',
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | null,
) => Promise<WebResponse>

/**
 * A web search service: hits only, whatever else it answers. `search` makes one request and rejects with ProviderError
 * (bad key: auth, its message says 'key'; no credit: auth, says 'credit'; 429 and 5xx: retryable).
 */
export interface SearchProvider {
  readonly name: string
  /** Pages of results that it has; absent: not known. A page beyond is never asked for. */
  readonly pages?: number
  search(request: SearchRequest, call: ServiceCall): Promise<SearchAnswer>
}
