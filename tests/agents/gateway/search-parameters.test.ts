import { describe, expect, it } from 'vitest'
import type { GatewayRequest, GatewayRoute } from '../../../agents/gateway/route.ts'
import { braveRoute, searxngRoute, serperRoute, tavilyRoute } from '../../../agents/gateway/search-apis.ts'
import type { GatewaySession } from '../../../agents/gateway/session.ts'

const hits = Array.from({ length: 8 }, (_, n) => ({
  url: `https://a.example/${n}`,
  title: 'A',
  snippet: 'S',
  position: n,
}))

/** Sends one request and returns the arguments of web_search and the answer. */
async function send(route: GatewayRoute, path: string, body: object | null = null) {
  const calls: unknown[] = []
  let answer = ''
  const session = {
    callTool: async (_name: string, args: unknown) => {
      calls.push(args)
      return {
        outcome: 'answered',
        text: '',
        artifact: { truncated: false, observations: [{ kind: 'hits', query: 'q', hits }] },
      }
    },
  } as unknown as GatewaySession
  const url = new URL(path, 'http://gateway')
  const response = {
    writeHead: () => response,
    end: (text: string) => void (answer = text),
  }
  const request = {
    method: body === null ? 'GET' : 'POST',
    path: url.pathname,
    query: url.searchParams,
    response,
    body: async () => JSON.stringify(body),
  } as unknown as GatewayRequest
  await route.answer(request, session)
  return { calls, answer: JSON.parse(answer) as Record<string, unknown> }
}

describe("the parameters of a service's search API", () => {
  it.each([
    { gl: '', hl: '' },
    { gl: null, hl: ' ' },
    { gl: 'ALL', hl: 'auto' },
    { page: '', gl: undefined },
    { page: null, hl: 'all' },
  ])('of Serper count as absent when they are blank: %j', async rest => {
    expect((await send(serperRoute, '/serper/search', { q: 'x', ...rest })).calls).toEqual([
      { queries: ['x'] },
    ])
  })

  it.each([
    '/brave/res/v1/web/search?q=x&country=ALL&search_lang=&count=',
    '/brave/res/v1/web/search?q=x&country=&offset=',
    '/brave/res/v1/web/search?q=x&search_lang=all&offset=0',
  ])('of Brave count as absent when they are blank: %s', async path => {
    expect((await send(braveRoute, path)).calls).toEqual([{ queries: ['x'] }])
  })

  it.each(['language=auto', 'language=all&pageno=', 'language=', 'language=%20'])(
    'of SearXNG count as absent when they are blank: %s',
    async rest => {
      const path = `/searxng/search?q=x&format=json&${rest}`
      expect((await send(searxngRoute, path)).calls).toEqual([{ queries: ['x'] }])
    },
  )

  it.each([
    [serperRoute, '/serper/search', { q: 'x', page: '3', gl: 'us', hl: 'en' }],
    [serperRoute, '/serper/search', { q: 'x', page: 3, gl: ' us', hl: 'en ' }],
    [braveRoute, '/brave/res/v1/web/search?q=x&offset=2&country=us&search_lang=en', null],
  ])('are passed on when they are set: %#', async (route, path, body) => {
    const { calls } = await send(route, path, body)
    expect(calls).toEqual([{ queries: ['x'], page: 3, language: 'en', region: 'us' }])
  })

  it.each([
    [{ max_results: '2' }, 2],
    [{ max_results: 3 }, 3],
    [{ max_results: '' }, 5],
    [{ max_results: null }, 5],
  ])('of Tavily limit the results: %j', async (rest, count) => {
    const { answer } = await send(tavilyRoute, '/tavily/search', { query: 'x', ...rest })
    expect(answer.results).toHaveLength(count)
  })
})
