import { searchServices } from '../../tools/search/registry.ts'
import type { SealedWeb } from '../../tools/web/sealed.ts'

const limits = { purpose: 'service', maxBytes: 10_000_000, timeoutMs: 30_000, maxRedirects: 0 } as const

/** Returns the milliseconds of each search of a sealed web, as a tool makes it over HTTP, one after the other. */
export async function searchTimes(
  web: Pick<SealedWeb, 'searchUrl' | 'transport'>,
  queries: readonly string[],
): Promise<number[]> {
  const search = searchServices.get('bm25').create({ apiKey: 'bench', baseUrl: web.searchUrl })
  const { signal } = new AbortController()
  const times: number[] = []
  for (const query of queries) {
    const askedAt = performance.now()
    await search.search({ query, page: 1, language: null, region: null }, (method, url, headers, body) =>
      web.transport.send({ method, url, headers, body, ...limits }, signal),
    )
    times.push(performance.now() - askedAt)
  }
  return times
}
