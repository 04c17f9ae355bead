import { z } from 'zod/v4'
import type { ServiceCall } from './search/provider.ts'
import { readServiceAnswer, tolerantList } from './search/service-answer.ts'

export const serperBaseUrl = 'https://google.serper.dev'

/** What Serper's search takes; absent fields are left to the service. */
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

const organicHit = z.looseObject({
  title: text,
  link: text,
  snippet: text,
  position: number,
  date: text,
})
const searchAnswer = z.looseObject({ organic: tolerantList(organicHit) })

export type SerperSearchAnswer = z.output<typeof searchAnswer>

/** One request a call, no retries; failures as readServiceAnswer maps them. */
export interface SerperClient {
  search(query: SerperQuery): Promise<SerperSearchAnswer>
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
  const headers = { 'content-type': 'application/json', ...key }
  return {
    async search(query) {
      const response = await call('POST', `${base}/search`, headers, JSON.stringify(query))
      return readServiceAnswer('Serper', response, searchAnswer)
    },
  }
}
