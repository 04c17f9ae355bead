import { z } from 'zod'
import type { ServiceCall } from './search/provider.ts'
import { readServiceAnswer, tolerantList } from './search/service-answer.ts'

export const serperBaseUrl = 'https://google.serper.dev'

/** What Serper's endpoints take; absent fields are left to the service. */
export interface SerperQuery {
  readonly q: string
  /** Country, such as `us` or `cn`. */
  readonly gl?: string
  /** Language of the results, such as `en` or `zh-cn`. */
  readonly hl?: string
  readonly num?: number
  /** 1-based. */
  readonly page?: number
  /** Google's own filter, such as `qdr:y` for the last year. */
  readonly tbs?: string
}

const text = z.string().nullish().catch(null)
const number = z.number().nullish().catch(null)

const organicHit = z.looseObject({
  title: text,
  link: text,
  snippet: text,
  position: number,
  date: text,
})
const scholarHit = organicHit.extend({
  publicationInfo: z
    .union([z.string(), z.looseObject({ summary: z.string() }).transform(info => info.summary)])
    .nullish()
    .catch(null),
  year: z.union([z.number(), z.string()]).nullish().catch(null),
  citedBy: number,
  pdfUrl: text,
})
const newsHit = organicHit.extend({ source: text })

const searchAnswer = z.looseObject({ organic: tolerantList(organicHit), credits: number })
const scholarAnswer = z.looseObject({ organic: tolerantList(scholarHit), credits: number })
const newsAnswer = z.looseObject({ news: tolerantList(newsHit), credits: number })

export type SerperSearchAnswer = z.output<typeof searchAnswer>
export type SerperScholarAnswer = z.output<typeof scholarAnswer>
export type SerperNewsAnswer = z.output<typeof newsAnswer>

/** One request a call, no retries; failures as readServiceAnswer maps them. */
export interface SerperClient {
  search(query: SerperQuery): Promise<SerperSearchAnswer>
  scholar(query: SerperQuery): Promise<SerperScholarAnswer>
  news(query: SerperQuery): Promise<SerperNewsAnswer>
}

export interface SerperSettings {
  /** Null where a server of one's own asks for none. */
  readonly apiKey: string | null
  readonly baseUrl: string
}

/** A client of the Serper API (https://serper.dev), or of a server that speaks it. */
export function serperClient(settings: SerperSettings, call: ServiceCall): SerperClient {
  const base = settings.baseUrl.replace(/\/+$/, '')
  const key = settings.apiKey === null ? {} : { 'x-api-key': settings.apiKey }
  async function post<T>(endpoint: string, query: SerperQuery, schema: z.ZodType<T>): Promise<T> {
    const headers = { 'content-type': 'application/json', ...key }
    const response = await call('POST', `${base}/${endpoint}`, headers, JSON.stringify(query))
    return readServiceAnswer('Serper', response, schema)
  }
  return {
    search: query => post('search', query, searchAnswer),
    scholar: query => post('scholar', query, scholarAnswer),
    news: query => post('news', query, newsAnswer),
  }
}
