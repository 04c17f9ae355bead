import { serperBaseUrl, serperClient } from '../serper-client.ts'
import type { SearchProvider, SearchServiceEntry } from './provider.ts'
import { requiredKey, type SearchSettings } from './settings.ts'

/** The entry of Serper in the registry of search services. */
export const serper: SearchServiceEntry = {
  summary: 'Google through serper.dev',
  keyVariable: 'SERPER_API_KEY',
  baseUrlVariable: 'SERPER_BASE_URL',
  create: serperProvider,
}

/**
 * Creates the provider for Google results through serper.dev. It returns organic results, never the answer box or
 * knowledge graph.
 */
export function serperProvider(settings: SearchSettings): SearchProvider {
  const apiKey = requiredKey(settings, 'Serper', 'SERPER_API_KEY')
  const baseUrl = settings.baseUrl ?? serperBaseUrl
  return {
    name: 'serper',
    async search(request, call) {
      const answer = await serperClient({ apiKey, baseUrl }, call).search({
        q: request.query,
        ...(request.language === null ? {} : { hl: request.language.toLowerCase() }),
        ...(request.region === null ? {} : { gl: request.region.toLowerCase() }),
        ...(request.page === 1 ? {} : { page: request.page }),
      })
      const hits = answer.organic.map(hit => ({
        url: hit.link ?? '',
        title: hit.title,
        snippet: hit.snippet,
        position: hit.position ?? null,
        date: hit.date ?? null,
      }))
      return { hits }
    },
  }
}
