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
  /** The environment variable with the key; null when no key is needed. */
  readonly keyVariable: string | null
  /** The environment variable with the base URL; null when the service has a fixed address. */
  readonly baseUrlVariable: string | null
  /**
   * Creates the provider.
   *
   * @throws ConfigError when a key (`missing-key`) or an address (`missing-base-url`) is missing
   */
  create(settings: SearchSettings): SearchProvider
}

/** The search services by name. To add one, write a file and add a line here. */
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
