import { Registry } from '../../src/core/registry.ts'
import { braveProvider } from './brave.ts'
import type { SearchProvider } from './provider.ts'
import { searxngProvider } from './searxng.ts'
import { serperProvider } from './serper.ts'
import type { SearchSettings } from './settings.ts'
import { tavilyProvider } from './tavily.ts'

/**
 * A search service: returns hits with title, address and snippet for a query.
 *
 * @example
 * import { definePlugin, type SearchServiceEntry } from 'tablehunt'
 *
 * const intranet: SearchServiceEntry = {
 *   summary: 'the search of our intranet',
 *   keyVariable: null,
 *   baseUrlVariable: 'INTRANET_URL',
 *   create: ({ baseUrl }) => ({
 *     name: 'intranet',
 *     search: async ({ query }, call) => {
 *       const answer = await call('GET', `${baseUrl}/find?q=${encodeURIComponent(query)}`, {}, null)
 *       return { hits: JSON.parse(new TextDecoder().decode(answer.body)) }
 *     },
 *   }),
 * }
 * export default definePlugin({ searchServices: { intranet } })
 */
export interface SearchServiceEntry {
  /** One line for --help. */
  readonly summary: string
  /** The environment variable of its key; null where it needs none. */
  readonly keyVariable: string | null
  /** The environment variable of an address of its own; null: it takes none. */
  readonly baseUrlVariable: string | null
  /** Throws ConfigError where a key or an address is missing. */
  create(settings: SearchSettings): SearchProvider
}

/** The search services by name; a new one is a file and a line here. */
export const searchServices = new Registry<SearchServiceEntry>({
  kind: 'search service',
  calls: 2,
  builtIn: {
    serper: {
      summary: 'Google through serper.dev',
      keyVariable: 'SERPER_API_KEY',
      baseUrlVariable: 'SERPER_BASE_URL',
      create: serperProvider,
    },
    searxng: {
      summary: 'a SearXNG server of your own',
      keyVariable: null,
      baseUrlVariable: 'SEARXNG_BASE_URL',
      create: searxngProvider,
    },
    brave: {
      summary: 'Brave Search API',
      keyVariable: 'BRAVE_API_KEY',
      baseUrlVariable: 'BRAVE_BASE_URL',
      create: braveProvider,
    },
    tavily: {
      summary: 'Tavily, its hits only',
      keyVariable: 'TAVILY_API_KEY',
      baseUrlVariable: 'TAVILY_BASE_URL',
      create: tavilyProvider,
    },
  },
})
