import { serperBaseUrl, serperClient } from '../serper-client.ts'
import type { SearchProvider } from './provider.ts'
import { requiredKey, type SearchSettings } from './settings.ts'

/** Creates the search for papers in Google Scholar through serper.dev. The PDF of a paper is preferred to its page. */
export function serperScholar(settings: SearchSettings): SearchProvider {
  const apiKey = requiredKey(settings, 'scholar_search (Serper)', 'SERPER_API_KEY')
  const baseUrl = settings.baseUrl ?? serperBaseUrl
  return {
    name: 'serper-scholar',
    async search({ query, page }, call) {
      const client = serperClient({ apiKey, baseUrl }, call)
      const { organic } = await client.scholar({ q: query, ...(page === 1 ? {} : { page }) })
      const hits = organic.map((paper, at) => {
        const citations = paper.citedBy == null ? '' : `cited by ${paper.citedBy}`
        const facts = [paper.publicationInfo, paper.year, citations, paper.snippet]
        return {
          url: paper.pdfUrl ?? paper.link ?? '',
          title: paper.title,
          snippet: facts.filter(fact => fact != null && fact !== '').join(' · '),
          position: at + 1,
        }
      })
      return { hits }
    },
  }
}
