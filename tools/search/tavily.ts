import { z } from 'zod/v4'
import { contentHits, contentResults } from './content-results.ts'
import type { SearchProvider } from './provider.ts'
import { readServiceAnswer } from './service-answer.ts'
import { requiredKey, type SearchSettings } from './settings.ts'

const tavilyBaseUrl = 'https://api.tavily.com'

const answerSchema = z.looseObject({
  results: contentResults,
})

/** Tavily: its hits alone; it is told to write no answer, and one that comes all the same is not read. */
export function tavilyProvider(settings: SearchSettings): SearchProvider {
  const apiKey = requiredKey(settings, 'Tavily', 'TAVILY_API_KEY')
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
      const answer = readServiceAnswer('Tavily', response, answerSchema, { verdict })
      return { hits: contentHits(answer.results) }
    },
  }
}

/** 432 and 433 are Tavily's own statuses for a plan's or a pay-as-you-go limit. */
function verdict(status: number): 'credit' | null {
  return status === 432 || status === 433 ? 'credit' : null
}
