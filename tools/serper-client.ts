import { z } from 'zod/v4'
import type { ServiceCall } from './search/provider.ts'
import { readServiceAnswer } from './search/service-answer.ts'
import { shownText, text, tolerantList } from './search/service-list.ts'

/** The address of Serper's own server. */
export const serperBaseUrl = 'https://google.serper.dev'

/** The parameters of a Serper search. Serper chooses the absent ones. */
export interface SerperQuery {
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
function answerWith<T extends z.ZodType>(hit: T) {
  const none = z.null().optional()
  return z.union([
    z.looseObject({ organic: tolerantList(hit) }),
    z.looseObject({ organic: none.transform(() => []), searchParameters: z.looseObject({}) }),
  ])
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
export type SerperScholarAnswer = z.output<typeof scholarAnswer>

const organicHit = z.looseObject({
  title: shownText,
  link: text,
  snippet: shownText,
  position: number,
  date: text,
})
const searchAnswer = answerWith(organicHit)

/** The answer of a Serper search after validation. */
export type SerperSearchAnswer = z.output<typeof searchAnswer>

/** Sends one request per call without retries. Rejects with the errors of readServiceAnswer. */
export interface SerperClient {
  search(query: SerperQuery): Promise<SerperSearchAnswer>
  scholar(query: SerperQuery): Promise<SerperScholarAnswer>
}

/** Key and address of a Serper server. */
export interface SerperSettings {
  /** Null when a self-hosted server needs none. */
  readonly apiKey: string | null
  readonly baseUrl: string
}

/** Creates a client of the Serper API (https://serper.dev) or of a server that implements it. */
export function serperClient(settings: SerperSettings, call: ServiceCall): SerperClient {
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
