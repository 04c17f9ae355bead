import { afterEach, describe, expect, it } from 'vitest'
import type { ServiceCall } from '../../tools/search/provider.ts'
import { searchServices } from '../../tools/search/registry.ts'
import { retryAfter } from '../../tools/search/service-answer.ts'
import { serperClient } from '../../tools/serper-client.ts'
import {
  type LocalAnswer,
  type LocalRequest,
  type LocalWeb,
  localWeb,
  plainTransport,
} from './support/local-web.ts'

let web: LocalWeb | null = null
afterEach(async () => {
  await web?.close()
  web = null
})

const call: ServiceCall = (method, url, headers, body) =>
  plainTransport().send(
    { method, url, headers, body, purpose: 'service', maxBytes: 1e6, timeoutMs: 1e4, maxRedirects: 0 },
    new AbortController().signal,
  )
const request = { query: '中文 & q', page: 1, language: null, region: null }
const names = searchServices.names()

/** A hit under the names that each service gives its fields. A new service adds its names here. */
const fieldsOf = (url: unknown, title: unknown, snippet: unknown) => ({
  ...{ url, link: url },
  title,
  ...{ snippet, content: snippet, description: snippet },
})

/** An answer that has this list of hits where each service looks for it. A new service adds its place here. */
const bodyWith = (list: unknown) => ({ organic: list, results: list, web: { results: list } })

/** Two hits, one of them without a link, together with an answer of the service's own. */
const everyShape = {
  ...bodyWith([fieldsOf('https://a.example/1', 'One', 'S'), fieldsOf(undefined, 'No link', 'S')]),
  answer: 'SAID BY THE PROVIDER',
  answers: ['SAID BY THE PROVIDER'],
  answerBox: { answer: 'SAID BY THE PROVIDER' },
  infoboxes: [{ content: 'SAID BY THE PROVIDER' }],
  summarizer: { key: 'SAID BY THE PROVIDER' },
}

async function ask(name: string, answer: (request: LocalRequest) => LocalAnswer) {
  web = await localWeb(answer)
  return searchServices
    .get(name)
    .create({ apiKey: 'secret-1', baseUrl: `${web.url}/` })
    .search(request, call)
}

describe.each(names)('other content in an answer of %s', name => {
  const hit = fieldsOf('https://a.example', 'A', 'S')
  const answerOf = (list: unknown) => JSON.stringify(bodyWith(list))

  it('returns its hits and nothing that the service wrote itself', async () => {
    const answer = await ask(name, () => ({ body: JSON.stringify(everyShape) }))
    expect(answer.hits[0]).toMatchObject({ url: 'https://a.example/1', title: 'One', snippet: 'S' })
    expect(JSON.stringify(answer)).not.toContain('SAID BY THE PROVIDER')
  })

  it('does not lose good hits because of invalid ones', async () => {
    const list = [null, 5, 'x', fieldsOf(7, 7, 7), hit]
    const { hits } = await ask(name, () => ({ body: answerOf(list) }))
    expect(hits.map(found => found.url).filter(url => url !== '')).toEqual(['https://a.example'])
  })

  it.each([[[]], [null]])('counts as no hits when the list is %j', async list => {
    expect((await ask(name, () => ({ body: answerOf(list) }))).hits).toEqual([])
  })

  it.each([
    [302, 'bad-response', false],
    [403, 'auth', false],
  ])('is a failure where the status is %i', async (status, reason, retryable) => {
    const headers = { location: '/other' }
    const asked = ask(name, () => ({ status, body: '', headers }))
    await expect(asked).rejects.toMatchObject({ name: 'ProviderError', reason, retryable })
    expect(web?.requests).toHaveLength(1)
  })

  it.each(['none', { message: 'try later' }])('is a bad response when the list is %j', async list => {
    await expect(ask(name, () => ({ body: answerOf(list) }))).rejects.toMatchObject({
      reason: 'bad-response',
    })
  })
})

describe('Brave', () => {
  it.each([
    ['{"error":{"code":"RATE_LIMITED","meta":{"quota_limit":2000,"quota_current":5}}}', 'rate-limited'],
    ['{"error":{"code":"QUOTA_LIMITED"}}', 'auth'],
  ])('distinguishes the rate limit from the monthly quota: %s', async (body, reason) => {
    await expect(ask('brave', () => ({ status: 429, body }))).rejects.toMatchObject({ reason })
  })

  it.each([
    ['ja', 'jp'],
    ['pt-BR', 'pt-br'],
    ['zh-CN', 'zh-hans'],
    ['zh-TW', 'zh-hant'],
    ['de-CH', 'de'],
  ])('receives its own language code for %s', async (language, code) => {
    web = await localWeb(() => ({ body: '{}' }))
    const brave = searchServices.get('brave').create({ apiKey: 'secret-1', baseUrl: web.url })
    await brave.search({ ...request, language }, call)
    expect(new URL(web.requests[0]!.path, 'http://x').searchParams.get('search_lang')).toBe(code)
  })

  it('removes markup from titles and descriptions', async () => {
    const results = [
      { url: 'https://a.example', title: '<strong>A</strong> &amp; B', description: 'x &lt; <b>y</b>' },
    ]
    const answer = await ask('brave', () => ({ body: JSON.stringify({ web: { results } }) }))
    expect(answer.hits[0]).toMatchObject({ title: 'A & B', snippet: 'x < y' })
  })
})

describe('Serper', () => {
  it('reads a search whatever the type of a field, and drops everything else', async () => {
    const odd = { title: 'N', link: 'https://n.example', position: 'first' }
    web = await localWeb(() => ({ body: JSON.stringify({ organic: [odd, 7, null] }) }))
    const client = serperClient({ apiKey: 'k', baseUrl: web.url }, call)
    expect(Object.keys(client).sort()).toEqual(['scholar', 'search'])
    const answer = await client.search({ q: 'x' })
    expect(answer).toMatchObject({ organic: [{ title: 'N', position: null }] })
    expect(answer.organic).toHaveLength(1)
    expect(JSON.parse(web.requests[0]?.body ?? '')).toEqual({ q: 'x' })
  })
})

describe('Retry-After', () => {
  it.each([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT', date: 'Fri, 31 Dec 1999 23:59:49 GMT' }, 10_000],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('of %j is %j ms', (headers, waitMs) => {
    expect(retryAfter(headers as Record<string, string>)).toBe(waitMs)
  })
})
