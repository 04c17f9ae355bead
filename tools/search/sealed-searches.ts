import { ConfigError } from '../../src/core/errors.ts'
import type { SearchProvider, SearchServiceEntry } from './provider.ts'
import { serperProvider } from './serper.ts'
import type { SearchSettings } from './settings.ts'

/** The searches that a sealed web has itself, by name. */
export const sealedSearches = {
  bm25: sealedSearch('bm25', 'sealed: documents ranked by words (the default of a sealed web)'),
  dense: sealedSearch('dense', 'sealed:CORPUS: documents ranked by the vectors of web build --embedder'),
} as const

/** Whether a search service is one of a sealed web. */
export const isSealedSearch = (name: string): name is keyof typeof sealedSearches =>
  Object.hasOwn(sealedSearches, name)

/** Its address is the search API of the sealed web, below which each search has a path of its own. */
function sealedSearch(name: string, summary: string): SearchServiceEntry {
  return {
    summary,
    keyVariable: null,
    baseUrlVariable: null,
    create: ({ baseUrl }: SearchSettings): SearchProvider => {
      if (baseUrl !== null) return serperProvider({ apiKey: 'sealed', baseUrl: `${baseUrl}/${name}` })
      throw new ConfigError(
        `--search ${name}: only a sealed web has this search. Choose --web sealed or sealed:CORPUS, or another service.`,
        { code: 'search-needs-sealed-web' },
      )
    },
  }
}
