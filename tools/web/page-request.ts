import type { WebRequest } from './transport.ts'

/** The name of this program in requests for pages. */
export const defaultUserAgent =
  'Mozilla/5.0 (compatible; tablehunt/0.1; research evaluation of language models)'

/**
 * Returns the request for a page. All requests use the same headers, because servers adapt their answer to language
 * and browser, and a different answer would look like a changed page.
 */
export function pageRequest(url: string): WebRequest {
  return {
    method: 'GET',
    url,
    headers: {
      accept: 'text/html,application/xhtml+xml,application/pdf,*/*;q=0.8',
      'accept-language': 'en,zh;q=0.8,*;q=0.5',
      'user-agent': defaultUserAgent,
    },
    body: null,
    purpose: 'page',
    maxBytes: 64_000_000,
    timeoutMs: 60_000,
    maxRedirects: 8,
  }
}
