import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict'
import type { ServiceCall } from '../../tools/search/provider.ts'
import { searchServices } from '../../tools/search/registry.ts'
import { ConfigError, ProviderError } from '../core/errors.ts'
import type { Check } from './contract.ts'
import { buildResponse, type WebAnswer } from './web.ts'

/**
 * Answers that a search service is tested with.
 *
 * @example
 * import type { SearchServiceSample } from 'tablehunt/testing'
 *
 * const pelican: SearchServiceSample = {
 *   answer: '{"results": [{"url": "https://a.example/1", "title": "One", "content": "S"}]}',
 *   hit: { url: 'https://a.example/1', title: 'One', snippet: 'S' },
 *   noHits: '{"results": []}',
 * }
 */
export interface SearchServiceSample {
  /** The body of an answer of the service with at least one hit. */
  readonly answer: string
  /** The first hit of that answer. */
  readonly hit: { readonly url: string; readonly title: string; readonly snippet: string }
  /** An answer that has no hits. */
  readonly noHits: string
}

const request = { query: '中文 & "q"', page: 1, language: null, region: null }
const key = 'secret-key-1'
const baseUrl = 'https://search.example.org'

/** Returns the checks that every search service must pass. */
export function searchServiceContract(name: string, sample: SearchServiceSample): readonly Check[] {
  const ask = async (answer: WebAnswer, requests: Parameters<ServiceCall>[] = []) =>
    await searchServices
      .get(name)
      .create({ apiKey: key, baseUrl })
      .search(request, async (...call) => {
        requests.push(call)
        return buildResponse(answer, call[1])
      })
  return [
    {
      name: 'reads the hits of an answer, with one request',
      async run() {
        const requests: Parameters<ServiceCall>[] = []
        const { hits } = await ask(sample.answer, requests)
        const [first] = hits
        deepEqual({ url: first?.url, title: first?.title, snippet: first?.snippet }, sample.hit)
        equal(requests.length, 1)
      },
    },
    {
      name: 'returns no hits for an answer without hits',
      async run() {
        deepEqual((await ask(sample.noHits)).hits, [])
      },
    },
    {
      name: 'sends the complete query',
      async run() {
        const requests: Parameters<ServiceCall>[] = []
        await ask(sample.noHits, requests)
        const [, url, , body] = requests[0]!
        ok(sentTexts(url, body).includes(request.query), `the query is not in ${url} ${body ?? ''}`)
      },
    },
    {
      name: 'distinguishes a refused key, a rate limit, an outage and an invalid answer',
      async run() {
        for (const [status, body, reason, retryable] of failures) {
          const failed = ask({ status, body })
          await rejects(failed, (error: unknown) => {
            ok(error instanceof ProviderError, `${status} ${body}: ${String(error)}`)
            deepEqual([error.reason, error.retryable], [reason, retryable], `${status} ${body}`)
            ok(!String(error.message).includes(key), 'the key is in the message')
            return true
          })
        }
      },
    },
    {
      name: 'says which variable to set when its key is missing',
      run: async () => checkMissingKey(name),
    },
  ]
}

const failures = [
  [401, '{"message":"Unauthorized"}', 'auth', false],
  [402, '{}', 'auth', false],
  [429, '{"message":"slow down"}', 'rate-limited', true],
  [502, 'Bad gateway', 'unavailable', true],
  [404, 'nothing here', 'bad-response', false],
  [200, '<html>', 'bad-response', true],
] as const

/** The values that a request sends: those of its parameters, parts of its path and members of its body. */
function sentTexts(url: string, body: string | null): unknown[] {
  const { pathname, searchParams } = new URL(url)
  const members = Object.values(JSON.parse(body ?? '{}') as object)
  return [...searchParams.values(), ...pathname.split('/').map(decodeURIComponent), ...members]
}

function checkMissingKey(name: string): void {
  const { keyVariable, create } = searchServices.get(name)
  if (keyVariable === null) return
  throws(
    () => create({ apiKey: null, baseUrl: null }),
    error => error instanceof ConfigError && error.message.includes(keyVariable),
  )
}
