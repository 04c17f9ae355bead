import { type Random, seededRandom } from '../../src/core/runtime.ts'
import { searchServices } from '../../tools/search/registry.ts'
import type { SealedWeb } from '../../tools/web/sealed.ts'

const limits = { purpose: 'service', maxBytes: 10_000_000, timeoutMs: 30_000, maxRedirects: 0 } as const

/** Searches of three to seven words. */
export interface MadeSearches {
  readonly count: number
  readonly seed: number
  /** Draws a word. */
  word(random: Random): string
}

/** Returns the milliseconds of each search of a sealed web, as a tool makes it over HTTP, one after the other. */
export async function searchTimes(web: SealedWeb, { count, seed, word }: MadeSearches): Promise<number[]> {
  const random = seededRandom(seed)
  const search = searchServices.get('bm25').create({ apiKey: 'bench', baseUrl: web.searchUrl })
  const { signal } = new AbortController()
  const times: number[] = []
  for (let turn = 0; turn < count; turn++) {
    const query = Array.from({ length: 3 + Math.floor(random() * 5) }, () => word(random)).join(' ')
    const askedAt = performance.now()
    await search.search({ query, page: 1, language: null, region: null }, (method, url, headers, body) =>
      web.transport.send({ method, url, headers, body, ...limits }, signal),
    )
    times.push(performance.now() - askedAt)
  }
  return times
}
