import { z } from 'zod/v4'
import type { ServiceCall } from './search/provider.ts'
import { readServiceAnswer, tolerantList } from './search/service-answer.ts'

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

const text = z.string().nullish().catch(null)
const number = z.number().nullish().catch(null)

const paper = z.looseObject({
  title: text,
  link: text,
  pdfUrl: text,
  snippet: text,
  publicationInfo: text,
  year: z.union([z.number(), z.string()]).nullish().catch(null),
  citedBy: number,
})
const scholarAnswer = z.looseObject({ organic: tolerantList(paper) })

/** The answer of a search in Google Scholar after validation. */
export type SerperScholarAnswer = z.output<typeof scholarAnswer>

const organicHit = z.looseObject({
  title: text,
  link: text,
  snippet: text,
  position: number,
  date: text,
})
const searchAnswer = z.looseObject({ organic: tolerantList(organicHit) })

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
