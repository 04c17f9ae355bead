import { Registry } from '../../src/core/registry.ts'
import { brave } from './brave.ts'
import type { SearchServiceEntry } from './provider.ts'
import { sealedSearches } from './sealed-searches.ts'
import { searxng } from './searxng.ts'
import { serper } from './serper.ts'
import { tavily } from './tavily.ts'

/** The search services by name. To add one, write a file and add a line here. */
export const searchServices = new Registry<SearchServiceEntry>({
  kind: 'search service',
  calls: 2,
  builtIn: { serper, searxng, brave, tavily, ...sealedSearches },
})
