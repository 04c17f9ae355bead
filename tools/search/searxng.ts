import { z } from 'zod/v4'
import { ConfigError } from '../../src/core/errors.ts'
import type { SearchProvider, SearchServiceEntry, SearchSettings } from './provider.ts'
import { type FailureRules, readServiceAnswer } from './service-answer.ts'
import { contentResults, listContentHits, optionalList, tolerantList } from './service-list.ts'

const engine = z.union([
  z.tuple([z.string(), z.string()]).rest(z.unknown()),
  z.looseObject({ engine: z.string(), error: z.string() }).transform(({ engine, error }) => [engine, error]),
])
const answerSchema = z.looseObject({
  results: contentResults,
  // The name of the engine and its error, such as `CAPTCHA` or `too many requests`.
  unresponsive_engines: optionalList(tolerantList(engine)),
})

/** The entry of SearXNG in the registry of search services. */
export const searxng: SearchServiceEntry = {
  summary: 'a SearXNG server of your own',
  keyVariable: null,
  baseUrlVariable: 'SEARXNG_BASE_URL',
  create: createSearxngProvider,
}

/**
 * Creates the provider for a self-hosted SearXNG that allows the JSON format (`search.formats` in settings.yml). It
 * returns results, never `answers`.
 */
function createSearxngProvider(settings: SearchSettings): SearchProvider {
  if (settings.baseUrl === null) {
    throw new ConfigError(
      'SearXNG runs on your own server: set SEARXNG_BASE_URL, such as http://127.0.0.1:8888',
      { code: 'missing-base-url' },
    )
  }
  const base = settings.baseUrl.replace(/\/+$/, '')
  const key: Record<string, string> =
    settings.apiKey === null ? {} : { authorization: `Bearer ${settings.apiKey}` }
  return {
    name: 'searxng',
    async search(request, call) {
      const parameters = new URLSearchParams({ q: request.query, format: 'json', pageno: `${request.page}` })
      const language = joinLanguageAndRegion(request.language, request.region)
      if (language !== null) parameters.set('language', language)
      const response = await call(
        'GET',
        `${base}/search?${parameters}`,
        { accept: 'application/json', ...key },
        null,
      )
      const answer = readServiceAnswer('SearXNG', response, answerSchema, failureRules)
      const hits = listContentHits(answer.results)
      const failed = answer.unresponsive_engines.map(([engine, problem]) => `${engine} (${problem})`)
      const enginesFailed = hits.length === 0 && failed.length > 0
      return {
        hits,
        ...(enginesFailed && { failure: `SearXNG found nothing, and had no answer of ${failed.join(', ')}` }),
      }
    },
  }
}

/** SearXNG answers 403 to a format that `search.formats` in its settings does not name (searxng/searxng#3749). */
const failureRules: FailureRules = {
  verdict: status => (status === 403 ? 'settings' : null),
  fix: 'enable its JSON format: add `json` to search.formats in its settings.yml and restart it',
}

/** Joins language and region. SearXNG accepts `de` or `de-CH`, but no region alone. */
function joinLanguageAndRegion(language: string | null, region: string | null): string | null {
  if (language === null) return null
  return region === null || language.includes('-') ? language : `${language}-${region.toUpperCase()}`
}
