import { z } from 'zod/v4'
import type { SearchProvider, SearchServiceEntry } from './provider.ts'
import { requireKey, type SearchSettings } from './provider.ts'
import { readServiceAnswer } from './service-answer.ts'
import { contentResults, listContentHits } from './service-list.ts'

const tavilyBaseUrl = 'https://api.tavily.com'

const answerSchema = z.looseObject({ results: contentResults })

/** The entry of Tavily in the registry of search services. */
export const tavily: SearchServiceEntry = {
  summary: 'Tavily, its hits only',
  keyVariable: 'TAVILY_API_KEY',
  baseUrlVariable: 'TAVILY_BASE_URL',
  create: createTavilyProvider,
}

/**
 * Creates the provider for Tavily. It returns hits only. The request asks for no generated answer, and one that is
 * sent anyway is ignored.
 */
function createTavilyProvider(settings: SearchSettings): SearchProvider {
  const apiKey = requireKey(settings, 'Tavily', 'TAVILY_API_KEY')
  const base = (settings.baseUrl ?? tavilyBaseUrl).replace(/\/+$/, '')
  const key: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
  return {
    name: 'tavily',
    pages: 1,
    async search(request, call) {
      const body = JSON.stringify({
        query: request.query,
        search_depth: 'basic',
        max_results: 10,
        include_answer: false,
        include_raw_content: false,
      })
      const headers = { 'content-type': 'application/json', ...key }
      const response = await call('POST', `${base}/search`, headers, body)
      const answer = readServiceAnswer('Tavily', response, answerSchema, { verdict: judgeAnswer })
      return { hits: listContentHits(answer.results) }
    },
  }
}

/** Tavily uses the statuses 432 and 433 for the limits of a plan and of pay-as-you-go. */
function judgeAnswer(status: number): 'credit' | null {
  return status === 432 || status === 433 ? 'credit' : null
}
