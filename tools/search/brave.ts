import { z } from 'zod/v4'
import { isObject } from '../../src/text/json.ts'
import type { SearchProvider, SearchServiceEntry } from './provider.ts'
import { requireKey, type SearchSettings } from './provider.ts'
import { readServiceAnswer } from './service-answer.ts'
import { hitList, optionalList, readAddress, shownText, text } from './service-list.ts'

const braveBaseUrl = 'https://api.search.brave.com/res/v1'

const hit = z.looseObject({ url: text, title: shownText, description: shownText, age: text, page_age: text })

/**
 * Brave leaves `web` out, or sends null, when it has no web results (searxng/searxng#6381). What tells such an answer from
 * another is its `type` or the query that it repeats.
 */
const answerSchema = z
  .looseObject({ web: z.looseObject({ results: optionalList(hitList(hit)) }).nullish() })
  .refine(({ web, type, query }) => web != null || type === 'search' || isObject(query), 'no web results')

/** The entry of Brave in the registry of search services. */
export const brave: SearchServiceEntry = {
  summary: 'Brave Search API',
  keyVariable: 'BRAVE_API_KEY',
  baseUrlVariable: 'BRAVE_BASE_URL',
  create: createBraveProvider,
}

/** Creates the provider for Brave Search. It returns web results, never summaries or info boxes. */
function createBraveProvider(settings: SearchSettings): SearchProvider {
  const apiKey = requireKey(settings, 'Brave', 'BRAVE_API_KEY')
  const base = (settings.baseUrl ?? braveBaseUrl).replace(/\/+$/, '')
  const key: Record<string, string> = apiKey === null ? {} : { 'x-subscription-token': apiKey }
  return {
    name: 'brave',
    pages: 10,
    async search(request, call) {
      const parameters = new URLSearchParams({
        q: request.query,
        count: '10',
        // Brave counts pages from 0.
        offset: `${request.page - 1}`,
        text_decorations: 'false',
      })
      if (request.language !== null) parameters.set('search_lang', findBraveLanguage(request.language))
      if (request.region !== null) parameters.set('country', request.region.toUpperCase())
      const headers = { accept: 'application/json', ...key }
      const response = await call('GET', `${base}/web/search?${parameters}`, headers, null)
      const answer = readServiceAnswer('Brave', response, answerSchema, { verdict: judgeAnswer })
      const hits = (answer.web?.results ?? []).map((hit, index) => ({
        url: readAddress(hit),
        title: hit.title,
        snippet: hit.description,
        position: index + 1,
        date: hit.page_age ?? hit.age ?? null,
      }))
      return { hits }
    },
  }
}

/** Every 429 of Brave mentions `quota_limit`; only its code separates the rate limit from the monthly quota. */
function judgeAnswer(status: number, body: string): 'key' | 'credit' | 'retry' | null {
  if (/SUBSCRIPTION_TOKEN_INVALID/.test(body)) return 'key'
  if (/QUOTA_LIMITED|QUOTA_EXCEEDED/.test(body)) return 'credit'
  return status === 429 && /RATE_LIMITED/.test(body) ? 'retry' : null
}

/** Language codes for which Brave uses another code. Brave rejects unknown codes. */
const braveCodes: Readonly<Record<string, string>> = { ja: 'jp', no: 'nb', zh: 'zh-hans', pt: 'pt-pt' }
const traditional = new Set(['zh-tw', 'zh-hk', 'zh-hant'])

function findBraveLanguage(language: string): string {
  const lower = language.toLowerCase()
  if (traditional.has(lower)) return 'zh-hant'
  if (lower === 'pt-br') return lower
  const [plain = lower] = lower.split('-')
  return braveCodes[plain] ?? plain
}
