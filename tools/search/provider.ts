import { ConfigError } from '../../src/core/errors.ts'
import { registerAddress, registerSecret } from '../../src/system/secret-values.ts'
import type { WebResponse } from '../web/transport.ts'

/** The settings of a search service; null when the user did not set them. */
export interface SearchSettings {
  readonly apiKey: string | null
  readonly baseUrl: string | null
}

/**
 * Reads the settings of a service from its environment variables. A null variable name means that the service has
 * no such setting.
 */
export function readServiceSettings(
  service: { readonly keyVariable: string | null; readonly baseUrlVariable: string | null },
  env: NodeJS.ProcessEnv,
): SearchSettings {
  const { keyVariable, baseUrlVariable } = service
  const apiKey = keyVariable === null ? null : (env[keyVariable] ?? null)
  const baseUrl = baseUrlVariable === null ? null : (env[baseUrlVariable] ?? null)
  registerSecret(apiKey)
  registerAddress(baseUrl)
  return { apiKey, baseUrl }
}

/**
 * Returns the key; null when the user set a base URL and no key, because a self-hosted server may need none.
 *
 * @throws ConfigError `missing-key`, naming the variable to set
 */
export function requireKey(settings: SearchSettings, service: string, variable: string): string | null {
  const key = settings.apiKey?.trim() ?? ''
  if (key !== '') return key
  if (settings.baseUrl !== null) return null
  throw new ConfigError(
    `${service} needs an API key. Set ${variable}, or choose another service (--search) or another web (--web sealed).`,
    { code: 'missing-key' },
  )
}

/** One query to a search service. */
export interface SearchRequest {
  readonly query: string
  /** 1-based. */
  readonly page: number
  readonly language: string | null
  readonly region: string | null
}

/** One search result. */
export interface SearchHit {
  readonly url: string
  readonly title: string
  readonly snippet: string
  readonly position: number | null
  /** When the page was published, in the service's own words. Null or absent when the service does not say. */
  readonly date?: string | null
}

/** The answer of a search service. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  /**
   * Why the empty result does not mean that the web has none, for example because engines did not respond. Absent
   * otherwise.
   */
  readonly failure?: string
}

/** Sends one request to an address that the operator configured ('service'). Redirects are not followed. */
export type ServiceCall = (
  method: 'GET' | 'POST',
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | null,
) => Promise<WebResponse>

/**
 * A web search service. It returns hits only and drops other content. `search` sends one request. It rejects with
 * ProviderError: `auth` with 'key' in the message for a refused key, `auth` with 'credit' for missing credit, and
 * retryable errors for 429 and 5xx.
 */
export interface SearchProvider {
  readonly name: string
  /** The number of result pages that the service has; absent when unknown. Later pages are never requested. */
  readonly pages?: number
  search(request: SearchRequest, call: ServiceCall): Promise<SearchAnswer>
}

/**
 * A search service: returns hits with title, address and snippet for a query.
 *
 * @example
 * import { definePlugin, type SearchServiceEntry } from 'tablehunt'
 *
 * const intranet: SearchServiceEntry = {
 *   summary: 'the search of our intranet',
 *   keyVariable: null,
 *   baseUrlVariable: 'INTRANET_URL',
 *   create: ({ baseUrl }) => ({
 *     name: 'intranet',
 *     search: async ({ query }, call) => {
 *       const answer = await call('GET', `${baseUrl}/find?q=${encodeURIComponent(query)}`, {}, null)
 *       return { hits: JSON.parse(new TextDecoder().decode(answer.body)) }
 *     },
 *   }),
 * }
 * export default definePlugin({ searchServices: { intranet } })
 */
export interface SearchServiceEntry {
  /** One line for --help. */
  readonly summary: string
  /** The environment variable with the key; null when no key is needed. */
  readonly keyVariable: string | null
  /** The environment variable with the base URL; null when the service has a fixed address. */
  readonly baseUrlVariable: string | null
  /**
   * Creates the provider.
   *
   * @throws ConfigError when a key (`missing-key`) or an address (`missing-base-url`) is missing
   */
  create(settings: SearchSettings): SearchProvider
}
