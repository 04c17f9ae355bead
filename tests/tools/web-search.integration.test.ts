import type { ToolMessage } from '@langchain/core/messages'
import { afterEach, describe, expect, it } from 'vitest'
import { createTools } from '../../tools/registry.ts'
import { searchServices } from '../../tools/search/registry.ts'
import { testEnvironment } from './support/environment.ts'
import { type LocalAnswer, type LocalRequest, type LocalWeb, localWeb } from './support/local-web.ts'

let web: LocalWeb
afterEach(async () => await web.close())

const json = (value: unknown, status = 200, headers = {}): LocalAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})
const hit = (link: string | undefined, title = 'A title', snippet = 'A snippet', position = 1) => ({
  title,
  link,
  snippet,
  position,
})

async function search(
  input: Record<string, unknown>,
  answer: (request: LocalRequest, nth: number) => LocalAnswer,
  calls?: number,
) {
  web = await localWeb(answer)
  const environment = testEnvironment({ searchUrl: web.url, ...(calls === undefined ? {} : { calls }) })
  const [tool] = await createTools(['web_search'], environment)
  const asked = tool?.invoke({
    type: 'tool_call',
    id: 'c1',
    name: 'web_search',
    args: input,
  }) as Promise<ToolMessage>
  return { environment, asked }
}

describe('web_search', () => {
  it('prints the hits of each query, numbered across queries, each page once', async () => {
    const { environment, asked } = await search({ queries: ['first', 'second'] }, request => {
      const { q } = JSON.parse(request.body) as { q: string }
      return json({
        organic:
          q === 'first'
            ? [hit('https://a.example/x', 'One', 'two\nlines'), hit('https://b.example/y', 'Two')]
            : [hit('http://a.example/x/?utm_source=z#f', 'Again'), hit('https://c.example/', 'Three', '')],
      })
    })
    const message = await asked
    expect(message.content).toBe(
      [
        'Results for "first":',
        '1. One',
        '   URL: https://a.example/x',
        '   two lines',
        '2. Two',
        '   URL: https://b.example/y',
        '   A snippet',
        '',
        'Results for "second":',
        '3. Three',
        '   URL: https://c.example/',
      ].join('\n'),
    )
    expect(environment.charged).toEqual(['searchCalls search: first', 'searchCalls search: second'])
    expect(message.artifact).toMatchObject({
      truncated: false,
      observations: [
        {
          kind: 'hits',
          query: 'first',
          hits: [{ url: 'https://a.example/x' }, { url: 'https://b.example/y' }],
        },
        { kind: 'hits', query: 'second', hits: [{ url: 'https://c.example/' }] },
      ],
    })
  })

  it('drops hits without a link and links other than http or https', async () => {
    const { asked } = await search({ queries: ['q'] }, () =>
      json({
        organic: [
          hit(undefined, 'No link'),
          hit('javascript:alert(1)'),
          hit('ftp://a/b'),
          'not a hit',
          hit('https://ok.example/a'),
        ],
        answerBox: { answer: 'written by the provider' },
      }),
    )
    const text = String((await asked).content)
    expect(text).toBe('Results for "q":\n1. A title\n   URL: https://ok.example/a\n   A snippet')
  })

  it('accepts an empty result and does not retry', async () => {
    const { environment, asked } = await search({ queries: ['nothing'] }, () => json({ organic: [] }))
    expect((await asked).content).toBe('No results for "nothing".')
    expect(web.requests).toHaveLength(1)
    expect(environment.charged).toHaveLength(1)
  })

  it('sends page, language, region and the key as Serper expects them', async () => {
    const { asked } = await search({ queries: ['q'], page: 3, language: 'zh-CN', region: 'CN' }, () =>
      json({ organic: [] }),
    )
    await asked
    expect(JSON.parse(web.requests[0]?.body ?? '')).toEqual({ q: 'q', page: 3, hl: 'zh-cn', gl: 'cn' })
    expect(web.requests[0]).toMatchObject({
      method: 'POST',
      path: '/search',
      headers: { 'x-api-key': 'secret-1' },
    })
  })

  it('retries after 429 and 5xx, waits as Retry-After says, and charges every request', async () => {
    const { environment, asked } = await search({ queries: ['q'] }, (_, nth) =>
      nth === 1
        ? json({ message: 'Too many requests' }, 429, { 'retry-after': '7' })
        : nth === 2
          ? json({}, 503)
          : json({ organic: [hit('https://a.example/')] }),
    )
    expect(String((await asked).content)).toContain('https://a.example/')
    expect(environment.charged).toHaveLength(3)
    expect(environment.sleeps).toEqual([7_000, 1_000])
    expect(environment.retries.map(retry => retry.reason)).toEqual(['rate-limited', 'unavailable'])
  })

  it.each([
    [429, 'rate-limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('reports a service that keeps answering %i as %s after at least two retries', async (status, reason) => {
    const { asked } = await search({ queries: ['q'] }, () => json({ message: 'no' }, status))
    await expect(asked).rejects.toMatchObject({ name: 'ProviderError', reason })
    expect(web.requests.length).toBeGreaterThanOrEqual(3)
  })

  it.each([
    [401, { message: 'Unauthorized.' }, /key/],
    [403, { message: 'Unauthorized.', statusCode: 403 }, /key/],
    [402, { message: 'Pay' }, /credit/],
    [403, { message: 'Not enough credits' }, /credit/],
    [429, { message: 'You exceeded your quota' }, /credit/],
    [400, { message: 'Not enough credits', statusCode: 400 }, /credit/],
  ])('does not retry after %i %j', async (status, body, words) => {
    const { asked } = await search({ queries: ['q'] }, () => json(body, status))
    await expect(asked).rejects.toMatchObject({ name: 'ProviderError', reason: 'auth', retryable: false })
    await expect(asked).rejects.toThrow(words)
    expect(web.requests).toHaveLength(1)
  })

  it('retries after a 429 for a quota that refills, after the requested wait', async () => {
    const body = { message: 'Quota exceeded: 5 requests per second. Try again in 20ms.' }
    const { asked, environment } = await search({ queries: ['q'] }, (_, nth) =>
      nth === 1 ? json(body, 429) : json({ organic: [hit('https://a.example/')] }),
    )
    expect(String((await asked).content)).toContain('https://a.example/')
    expect(environment.retries).toMatchObject([{ reason: 'rate-limited', waitMs: 20 }])
  })

  it.each([
    [[], [['engine a', 'CAPTCHA', 0]], 'CAPTCHA'],
    [[{ url: 'https://a.example/', title: 'A', content: '' }], [['engine a', 'CAPTCHA']], null],
    [[], [], null],
  ])(
    'distinguishes failed engines from an empty web: %j of engines %j',
    async (results, unresponsive_engines, failure) => {
      web = await localWeb(() => json({ results, unresponsive_engines }))
      const searxng = searchServices.get('searxng').create({ apiKey: null, baseUrl: web.url })
      const environment = testEnvironment({ search: searxng })
      const [tool] = await createTools(['web_search'], environment)
      const args = { queries: ['q'] }
      const asked = tool?.invoke({ type: 'tool_call', id: 'c1', name: 'web_search', args })
      if (failure === null) await expect(asked).resolves.toBeDefined()
      else
        await expect(asked).rejects.toMatchObject({
          name: 'ToolError',
          infrastructure: true,
          message: expect.stringContaining(failure) as string,
        })
      // A repeated search would be wasted on engines that are suspended for hours.
      expect(web.requests).toHaveLength(1)
    },
  )

  it('does not treat a 400 that repeats a query about credit as missing credit', async () => {
    const { asked } = await search({ queries: ['q'] }, () =>
      json({ message: 'too long: revolving credit quota' }, 400),
    )
    await expect(asked).rejects.toMatchObject({ name: 'ToolError', errorClass: 'bad-input' })
  })

  it('does not treat a failure that repeats a query about credit as missing credit', async () => {
    const failed = { detail: 'not valid', input: 'credit agreement of IBM' }
    const invalid = await search({ queries: ['q'] }, () => json(failed, 422))
    await expect(invalid.asked).rejects.toMatchObject({ name: 'ToolError', errorClass: 'bad-input' })
    await web.close()
    const down = await search({ queries: ['q'] }, (_, nth) =>
      nth === 1 ? json(failed, 502) : json({ organic: [hit('https://a.example/')] }),
    )
    expect(String((await down.asked).content)).toContain('https://a.example/')
  })

  it('treats a 200 that is not JSON as a bad response', async () => {
    const { asked } = await search({ queries: ['q'] }, () => ({ body: '<html>Sign in</html>' }))
    await expect(asked).rejects.toMatchObject({ name: 'ProviderError', reason: 'bad-response' })
  })

  it('tells the agent that the service rejected the request', async () => {
    const { asked } = await search({ queries: ['q'] }, () =>
      json({ message: 'Missing query parameter' }, 400),
    )
    await expect(asked).rejects.toMatchObject({ name: 'ToolError', errorClass: 'bad-input' })
  })

  it('reports a service that cannot be reached as unavailable', async () => {
    const { environment, asked } = await search({ queries: ['q'] }, () => ({}))
    await asked.catch(() => undefined)
    await web.close()
    const [tool] = await createTools(['web_search'], environment)
    await expect(tool?.invoke({ queries: ['q'] })).rejects.toMatchObject({ reason: 'unavailable' })
  })

  it('keeps earlier results when the budget ends between two queries', async () => {
    const { asked } = await search(
      { queries: ['one', 'two'] },
      () => json({ organic: [hit('https://a.example/')] }),
      1,
    )
    const text = String((await asked).content)
    expect(text).toContain('https://a.example/')
    expect(text).toContain('Not searched: "two"')
  })

  it('charges nothing for a page that the service does not have', async () => {
    web = await localWeb(() => json({ organic: [] }))
    const tavily = searchServices.get('tavily').create({ apiKey: 'k', baseUrl: web.url })
    const environment = testEnvironment({ search: tavily })
    const [tool] = await createTools(['web_search'], environment)
    const asked = tool?.invoke({ queries: ['one'], page: 2 })
    await expect(asked).rejects.toMatchObject({ errorClass: 'bad-input' })
    expect(environment.charged).toEqual([])
    expect(web.requests).toHaveLength(0)
  })

  it('sends nothing when no search is left', async () => {
    const { asked } = await search({ queries: ['one'] }, () => json({ organic: [] }), 0)
    await expect(asked).rejects.toMatchObject({ name: 'BudgetRefusedError', kind: 'searchCalls' })
    expect(web.requests).toHaveLength(0)
  })

  it('stays under 100,000 characters and reports that results were left out', async () => {
    const { asked } = await search({ queries: ['q'] }, () =>
      json({
        organic: Array.from({ length: 200 }, (_, n) =>
          hit(`https://a.example/${n}`, 'T', 'long '.repeat(600)),
        ),
      }),
    )
    const message = await asked
    expect(String(message.content).length).toBeLessThan(100_000)
    expect(message.artifact).toMatchObject({ truncated: true })
    expect(String(message.content)).toMatch(/more results left out/)
  })

  it.each([
    [{}],
    [{ queries: [] }],
    [{ queries: ['a', 'b', 'c', 'd', 'e', 'f'] }],
    [{ queries: [' '] }],
    [{ queries: ['a'], page: 0 }],
  ])('refuses the input %j', async input => {
    const { asked } = await search(input, () => json({ organic: [] }))
    await expect(asked).rejects.toThrow(/web_search takes queries/)
    expect(web.requests).toHaveLength(0)
  })
})
