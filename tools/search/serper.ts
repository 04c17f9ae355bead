import { z } from 'zod/v4'
import { isObject } from '../../src/text/json.ts'
import {
  requireKey,
  type SearchProvider,
  type SearchServiceEntry,
  type SearchSettings,
  type ServiceCall,
} from './provider.ts'
import { readServiceAnswer } from './service-answer.ts'
import { hitList, readAddress, shownText, text } from './service-list.ts'

/** The address of Serper's own server. */
const serperBaseUrl = 'https://google.serper.dev'

/** The parameters of a Serper search. Serper chooses the absent ones. */
interface SerperQuery {
  readonly q: string
  /** Country, such as `us` or `cn`. */
  readonly gl?: string
  /** Language of the results, such as `en` or `zh-cn`. */
  readonly hl?: string
  /** 1-based. */
  readonly page?: number
}

const number = z.number().nullish().catch(null)

/**
 * Serper leaves `organic` out of some answers without results (assafelovic/gpt-researcher#1388). What tells such an answer
 * from another is the search that it repeats.
 */
function answerWith<T extends z.ZodType<Record<string, unknown>>>(hit: T) {
  const none = z.null().optional()
  return z.union([
    z.looseObject({ organic: hitList(hit) }),
    z
      .looseObject({ organic: none.transform(() => []), searchParameters: z.looseObject({}) })
      .refine(answer => !hasUnknownList(answer), 'no organic results, but a list that is not known'),
  ])
}

/** The lists that Serper sends beside organic results. */
const otherLists: ReadonlySet<string> = new Set([
  ...['peopleAlsoAsk', 'relatedSearches', 'topStories', 'images', 'videos', 'places', 'shopping', 'news'],
  ...['sitelinks', 'ads', 'tweets', 'reviews', 'events', 'jobs', 'recipes', 'organic'],
])

function hasUnknownList(answer: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(answer).some(
    ([name, value]) => !otherLists.has(name) && Array.isArray(value) && value.some(isObject),
  )
}

const paper = z.looseObject({
  title: shownText,
  link: text,
  pdfUrl: text,
  snippet: shownText,
  publicationInfo: text,
  year: z.union([z.number(), z.string()]).nullish().catch(null),
  citedBy: number,
})
const scholarAnswer = answerWith(paper)

/** The answer of a search in Google Scholar after validation. */
type SerperScholarAnswer = z.output<typeof scholarAnswer>

const organicHit = z.looseObject({
  title: shownText,
  link: text,
  snippet: shownText,
  position: number,
  date: text,
})
const searchAnswer = answerWith(organicHit)

/** The answer of a Serper search after validation. */
type SerperSearchAnswer = z.output<typeof searchAnswer>

/** Sends one request per call without retries. Rejects with the errors of readServiceAnswer. */
interface SerperClient {
  search(query: SerperQuery): Promise<SerperSearchAnswer>
  scholar(query: SerperQuery): Promise<SerperScholarAnswer>
}

/** Key and address of a Serper server. */
interface SerperSettings {
  /** Null when a self-hosted server needs none. */
  readonly apiKey: string | null
  readonly baseUrl: string
}

/** Creates a client of the Serper API (https://serper.dev) or of a server that implements it. */
export function createSerperClient(settings: SerperSettings, call: ServiceCall): SerperClient {
  const base = settings.baseUrl.replace(/\/+$/, '')
  const key = settings.apiKey === null ? {} : { 'x-api-key': settings.apiKey }
  const headers = { 'content-type': 'application/json', ...key }
  return {
    async scholar(query) {
      const response = await call('POST', `${base}/scholar`, headers, JSON.stringify(query))
      return readServiceAnswer('Serper', response, scholarAnswer)
    },
    async search(query) {
      const response = await call('POST', `${base}/search`, headers, JSON.stringify(query))
      return readServiceAnswer('Serper', response, searchAnswer)
    },
  }
}

/** The entry of Serper in the registry of search services. */
export const serper: SearchServiceEntry = {
  summary: 'Google through serper.dev',
  keyVariable: 'SERPER_API_KEY',
  baseUrlVariable: 'SERPER_BASE_URL',
  create: createSerperProvider,
}

/**
 * Creates the provider for Google results through serper.dev. It returns organic results, never the answer box or
 * knowledge graph.
 */
export function createSerperProvider(settings: SearchSettings): SearchProvider {
  const apiKey = requireKey(settings, 'Serper', 'SERPER_API_KEY')
  const baseUrl = settings.baseUrl ?? serperBaseUrl
  return {
    name: 'serper',
    async search(request, call) {
      const answer = await createSerperClient({ apiKey, baseUrl }, call).search({
        q: request.query,
        ...(request.language === null ? {} : { hl: request.language.toLowerCase() }),
        ...(request.region === null ? {} : { gl: request.region.toLowerCase() }),
        ...(request.page === 1 ? {} : { page: request.page }),
      })
      const hits = answer.organic.map(hit => ({
        url: readAddress(hit),
        title: hit.title,
        snippet: hit.snippet,
        position: hit.position ?? null,
        date: hit.date ?? null,
      }))
      return { hits }
    },
  }
}

/** Creates the search for papers in Google Scholar through serper.dev. The PDF of a paper is preferred to its page. */
export function createSerperScholar(settings: SearchSettings): SearchProvider {
  const apiKey = requireKey(settings, 'scholar_search (Serper)', 'SERPER_API_KEY')
  const baseUrl = settings.baseUrl ?? serperBaseUrl
  return {
    name: 'serper-scholar',
    async search({ query, page }, call) {
      const client = createSerperClient({ apiKey, baseUrl }, call)
      const { organic } = await client.scholar({ q: query, ...(page === 1 ? {} : { page }) })
      const hits = organic.map((paper, at) => {
        const citations = paper.citedBy == null ? '' : `cited by ${paper.citedBy}`
        const facts = [paper.publicationInfo, paper.year, citations, paper.snippet]
        return {
          url: paper.pdfUrl ?? readAddress(paper),
          title: paper.title,
          snippet: facts.filter(fact => fact != null && fact !== '').join(' · '),
          position: at + 1,
        }
      })
      return { hits }
    },
  }
}
