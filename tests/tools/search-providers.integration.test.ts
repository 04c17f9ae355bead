import { afterEach, describe, expect, it } from 'vitest'
import type { ServiceCall } from '../../tools/search/provider.ts'
import { searchServices } from '../../tools/search/registry.ts'
import { createSerperClient } from '../../tools/search/serper.ts'
import { retryAfter } from '../../tools/search/service-answer.ts'
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
const bodyWith = (list: unknown) => ({
  ...{ organic: list, results: list, web: { results: list } },
  searchParameters: { q: 'q' },
})

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
  const answerOf = (list: unknown, rest = {}) => JSON.stringify({ ...bodyWith(list), ...rest })

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

  it('counts as no hits when the list is empty, also beside a message that says so', async () => {
    for (const message of [undefined, 'OK', 'No results found', "Google hasn't returned any results."])
      expect((await ask(name, () => ({ body: answerOf([], { message }) }))).hits).toEqual([])
  })

  it('keeps its hits beside a message', async () => {
    const body = answerOf([hit], { message: 'Your plan ends soon' })
    expect((await ask(name, () => ({ body }))).hits).toHaveLength(1)
  })

  it.each([
    ['no object', 'null'],
    ['a list', '[]'],
    ['a page', '<html><title>Sign in</title></html>'],
    ['empty', ''],
    ['an object without results', '{"took": 5}'],
    ['a list of things that are no hits', JSON.stringify(bodyWith(['a', 5]))],
  ])('is a bad response when it is %s', async (_what, body) => {
    await expect(ask(name, () => ({ body }))).rejects.toMatchObject({
      reason: 'bad-response',
      retryable: true,
    })
  })

  it.each([
    [{ message: 'Internal server error' }, { reason: 'unavailable', retryable: true }],
    [{ error: { code: 503, message: 'overloaded' } }, { reason: 'unavailable', retryable: true }],
    [{ errors: [{ message: 'upstream timed out' }] }, { reason: 'unavailable', retryable: true }],
    [{ success: false }, { reason: 'unavailable', retryable: true }],
    [
      { status: 'error', data: null },
      { reason: 'unavailable', retryable: true },
    ],
    [{ detail: 'Failed to fetch any results: upstream error' }, { reason: 'unavailable' }],
    [{ message: 'Too many requests' }, { reason: 'rate-limited', retryable: true }],
    [
      { message: 'slow down', statusCode: 429 },
      { reason: 'rate-limited', retryable: true },
    ],
    [{ message: 'Unauthorized.', statusCode: 403 }, { reason: name === 'searxng' ? 'bad-response' : 'auth' }],
    [{ error: 'Invalid API key' }, { reason: 'auth', retryable: false }],
    [{ message: 'Not enough credits' }, { reason: 'auth', retryable: false }],
    [{ error: 'Query too long' }, { name: 'ToolError', errorClass: 'bad-input' }],
  ])('is a failure when its status is 200 and its body is %j', async (body, failure) => {
    const rejected = expect(ask(name, () => ({ body: JSON.stringify(body) }))).rejects
    await rejected.toMatchObject(failure)
    const withEmptyList = JSON.stringify({ ...bodyWith([]), ...body })
    await expect(ask(name, () => ({ body: withEmptyList }))).rejects.toMatchObject(failure)
  })

  it.each([
    ['A &amp; B', 'A & B'],
    ['Caf&eacute; &#8217;s &#x2013; &hellip;', 'Café ’s – …'],
    ['<strong>12</strong> of &lt;b&gt;', '12 of <b>'],
    ['once: &amp;amp; and &amp;lt;', 'once: &amp; and &lt;'],
    ['R&D, a < b, x&y;z, List<String>', 'R&D, a < b, x&y;z, List<String>'],
  ])('has its text without markup: %s', async (written, shown) => {
    const body = answerOf([fieldsOf('https://a.example/?a=1&amp;b=2', written, written)])
    const { hits } = await ask(name, () => ({ body }))
    expect(hits[0]).toMatchObject({ url: 'https://a.example/?a=1&amp;b=2', title: shown, snippet: shown })
  })

  it.each([
    [302, 'bad-response', false],
    [401, 'auth', false],
  ])('is a failure where the status is %i', async (status, reason, retryable) => {
    const headers = { location: '/other' }
    const asked = ask(name, () => ({ status, body: '', headers }))
    await expect(asked).rejects.toMatchObject({ name: 'ProviderError', reason, retryable })
    expect(web?.requests).toHaveLength(1)
  })

  it.each(['none', { name: 'a' }, 7])('is a bad response when the list is %j', async list => {
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
    web = await localWeb(() => ({ body: '{"type": "search"}' }))
    const brave = searchServices.get('brave').create({ apiKey: 'secret-1', baseUrl: web.url })
    await brave.search({ ...request, language }, call)
    expect(new URL(web.requests[0]!.path, 'http://x').searchParams.get('search_lang')).toBe(code)
  })

  it.each([
    { type: 'search', mixed: {} },
    { web: null, query: { original: 'q' } },
  ])('leaves the list out when it has no results: %j', async body => {
    expect((await ask('brave', () => ({ body: JSON.stringify(body) }))).hits).toEqual([])
  })
})

describe('SearXNG', () => {
  it.each([403, 200])('says how to enable JSON when a page comes with status %i', async status => {
    const body = '<!doctype html><title>Forbidden</title>'
    await expect(ask('searxng', () => ({ status, body }))).rejects.toThrow(
      'enable its JSON format: add `json` to search.formats in its settings.yml and restart it',
    )
  })

  it.each([
    [[['google', 'CAPTCHA']], 'google (CAPTCHA)'],
    [[{ engine: 'brave', error: 'timeout' }], 'brave (timeout)'],
    [[['qwant', 'access denied'], { engine: 'bing', error: 'x' }], 'qwant (access denied), bing (x)'],
  ])('names engines that did not answer: %j', async (unresponsive_engines, words) => {
    const body = JSON.stringify({ results: [], unresponsive_engines })
    expect((await ask('searxng', () => ({ body }))).failure).toContain(words)
  })
})

describe('Serper', () => {
  it.each([{ answerBox: { answer: '12' } }, { organic: null }, { organic: [] }])(
    'has no results when it repeats the search: %j',
    async rest => {
      const body = JSON.stringify({ searchParameters: { q: 'x' }, ...rest })
      expect((await ask('serper', () => ({ body }))).hits).toEqual([])
    },
  )

  it('reads a search whatever the type of a field, and drops everything else', async () => {
    const odd = { title: 'N', link: 'https://n.example', position: 'first' }
    web = await localWeb(() => ({ body: JSON.stringify({ organic: [odd, 7, null] }) }))
    const client = createSerperClient({ apiKey: 'k', baseUrl: web.url }, call)
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

describe.each(names)('the addresses of the hits of %s', name => {
  const unnamed = { title: 'T', snippet: 'S', content: 'S', description: 'S' }

  it.each(['link', 'url', 'href'])('are read from the member %s', async member => {
    const hit = { ...unnamed, [member]: 'https://a.example/1' }
    const { hits } = await ask(name, () => ({ body: JSON.stringify(bodyWith([hit])) }))
    expect(hits.map(({ url }) => url)).toEqual(['https://a.example/1'])
  })

  it.each([undefined, null, 7, { href: 'https://a.example/1' }])(
    'are an error when no hit has one, and not an empty result: %j',
    async address => {
      const hit = { ...unnamed, address, link: address, url: address }
      const asked = ask(name, () => ({ body: JSON.stringify(bodyWith([hit])) }))
      await expect(asked).rejects.toMatchObject({ reason: 'bad-response', retryable: true })
    },
  )

  it.each([
    { warning: 'upstream timed out' },
    { info: 'Quota exceeded' },
    { failed_results: [{ error: 'x' }] },
  ])('are missing because of what a note says: %j', async note => {
    const asked = ask(name, () => ({ body: JSON.stringify({ ...bodyWith([]), type: 'search', ...note }) }))
    await expect(asked).rejects.toThrow('with an error in its body')
  })

  it('are missing beside a note that says nothing of a failure', async () => {
    const body = { ...bodyWith([]), type: 'search', info: 'Showing results for hotels', notes: [] }
    expect((await ask(name, () => ({ body: JSON.stringify(body) }))).hits).toEqual([])
  })
})

it('refuses an answer of Serper with results in a list that is not known', async () => {
  const answer = (list: Record<string, unknown>) =>
    ask('serper', () => ({ body: JSON.stringify({ searchParameters: {}, ...list }) }))
  const list = [{ title: 'T', link: 'https://a.example/1' }]
  expect((await answer({ peopleAlsoAsk: list })).hits).toEqual([])
  await web?.close()
  await expect(answer({ webPages: list })).rejects.toMatchObject({ reason: 'bad-response' })
})
