import { ConfigError } from '../../src/core/errors.ts'
import { Registry } from '../../src/core/registry.ts'
import { brave } from './brave.ts'
import type { SearchProvider, SearchServiceEntry, SearchSettings } from './provider.ts'
import { searxng } from './searxng.ts'
import { createSerperProvider, serper } from './serper.ts'
import { tavily } from './tavily.ts'

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
      if (baseUrl !== null) return createSerperProvider({ apiKey: 'sealed', baseUrl: `${baseUrl}/${name}` })
      throw new ConfigError(
        `--search ${name}: only a sealed web has this search. Choose --web sealed or sealed:CORPUS, or another service.`,
        { code: 'search-needs-sealed-web' },
      )
    },
  }
}

/** The search services by name. To add one, write a file and add a line here. */
export const searchServices = new Registry<SearchServiceEntry>({
  kind: 'search service',
  calls: 2,
  builtIn: { serper, searxng, brave, tavily, ...sealedSearches },
})
