import type { ToolMessage } from '@langchain/core/messages'
import { afterEach, describe, expect, it } from 'vitest'
import { ToolError } from '../../src/core/errors.ts'
import { pageReaders } from '../../tools/page/registry.ts'
import type { PageRenderer } from '../../tools/page/renderer.ts'
import { createTools } from '../../tools/registry.ts'
import { testEnvironment } from './support/environment.ts'
import { type LocalAnswer, type LocalRequest, type LocalWeb, localWeb } from './support/local-web.ts'

let web: LocalWeb | null = null
afterEach(async () => {
  await web?.close()
  web = null
})

/** A browser that every page answers with 403. */
const refusedRenderer: PageRenderer = {
  name: 'refused',
  render: () => Promise.reject(new ToolError('unreadable', 'not shown')),
  open: async ({ url }) => ({ status: 403, headers: {}, body: new Uint8Array(), finalUrl: url }),
  release: async () => undefined,
  close: async () => undefined,
}

/** Serves the page and the reader from one server. The reader's request path contains the page's address. */
async function fetchThrough(
  answer: (request: LocalRequest) => LocalAnswer,
  pageStatus = 200,
  renderer: PageRenderer | null = null,
) {
  const served = await localWeb(request =>
    request.path === '/page'
      ? { status: pageStatus, headers: { 'content-type': 'text/html' }, body: '<p>As the page has it</p>' }
      : answer(request),
  )
  web = served
  const pageReader = pageReaders.get('jina').create({ apiKey: 'secret-2', baseUrl: `${served.url}/reader/` })
  const environment = { ...testEnvironment(), pageReader, renderer }
  const [tool] = await createTools(['fetch_page'], environment)
  const args = { url: `${served.url}/page` }
  const asked = tool?.invoke({ type: 'tool_call', id: 'c', name: 'fetch_page', args }) as Promise<ToolMessage>
  return { environment, served, asked }
}

describe('Jina Reader as the page reader', () => {
  it('returns its Markdown with numbered links, and charges both requests', async () => {
    const content =
      '# Head\n\nSee [the report](https://a.example/r.pdf "R") and ![a photo](https://a.example/p.png).'
    const { environment, served, asked } = await fetchThrough(() => ({
      body: JSON.stringify({ code: 200, data: { title: 'A page', content } }),
    }))
    const text = String((await asked).content)
    expect(text).toContain('Title: A page')
    expect(text).toContain('See the report [1] and a photo.')
    expect(text).toContain('Links:\n[1] https://a.example/r.pdf')
    expect(served.requests[1]).toMatchObject({
      path: `/reader/${served.url}/page`,
      headers: { authorization: 'Bearer secret-2' },
    })
    expect(environment.charged).toHaveLength(2)
  })

  it('reads a page that refuses us, and charges each request once', async () => {
    const body = JSON.stringify({ data: { title: 'A page', content: 'Revenue 4,512' } })
    for (const [status, charges] of [
      [401, 2],
      [403, 2],
      [406, 2],
      [503, 4],
      [429, 4],
    ] as const) {
      const { environment, asked } = await fetchThrough(() => ({ body }), status)
      expect(String((await asked).content)).toContain('Revenue 4,512')
      expect(environment.charged).toHaveLength(charges)
      await web?.close()
    }
  })

  it('reads a page that refuses the browser too', async () => {
    const body = JSON.stringify({ data: { title: 'A page', content: 'Revenue 4,512' } })
    const { environment, asked } = await fetchThrough(() => ({ body }), 403, refusedRenderer)
    expect(String((await asked).content)).toContain('Revenue 4,512')
    expect(environment.charged.map(charge => charge.split(' ')[1])).toEqual(['fetch:', 'browser:', 'read:'])
    expect(environment.retries.map(({ reason }) => reason.split('; ')[1])).toEqual([
      'read with the browser',
      'read with the page reader jina',
    ])
  })

  it('does not read a page that is missing', async () => {
    const { environment, asked } = await fetchThrough(() => ({ status: 500 }), 404)
    await expect(asked).rejects.toThrow('HTTP 404')
    expect(environment.charged).toHaveLength(1)
  })

  it('reports a failure as an infrastructure failure after two retries', async () => {
    const { environment, asked } = await fetchThrough(() => ({ status: 503 }))
    await expect(asked).rejects.toMatchObject({ name: 'ToolError', infrastructure: true })
    expect(environment.charged).toHaveLength(4)
  })

  const answerWith = (data: object) => () => ({
    body: JSON.stringify({ code: 200, data: { title: 'T', ...data } }),
  })

  it.each([
    ['Target URL returned error 403: Forbidden', /HTTP 403/],
    ['Target URL returned error 404: Not Found', /HTTP 404/],
    ['This page maybe requiring CAPTCHA, please make sure you are authorized.', /CAPTCHA/],
  ])('fails when it read an error page: %s', async (warning, words) => {
    const { asked } = await fetchThrough(answerWith({ warning, content: 'Forbidden' }))
    await expect(asked).rejects.toMatchObject({
      errorClass: 'http-status',
      message: expect.stringMatching(words),
    })
  })

  it.each([
    [{ warning: ['Cached.', 'Target URL returned error 404: Not Found'] }, /HTTP 404/],
    [{ warnings: ['Target URL returned error 403: Forbidden'] }, /HTTP 403/],
    [{ warning: 'The page answered with HTTP 410' }, /HTTP 410/],
    [{ httpStatus: 404 }, /HTTP 404/],
    [{ statusCode: '403' }, /HTTP 403/],
  ])('fails when it says so in another form: %j', async (data, words) => {
    const { asked } = await fetchThrough(answerWith({ ...data, content: 'Forbidden' }))
    await expect(asked).rejects.toMatchObject({
      errorClass: 'http-status',
      message: expect.stringMatching(words),
    })
  })

  it('reads a page with a good status and a warning about something else', async () => {
    const { asked } = await fetchThrough(
      answerWith({ httpStatus: 200, status: 20000, warning: ['404 links were left out'], content: 'Text' }),
    )
    expect(String((await asked).content)).toContain('Text')
  })

  it.each(['Failed to goto http://x: net::ERR_CONNECTION_REFUSED', 'net::ERR_NAME_NOT_RESOLVED'])(
    'is an outage when its browser cannot load the page: %s',
    async message => {
      const { asked } = await fetchThrough(() => ({
        status: 422,
        body: JSON.stringify({ code: 422, message }),
      }))
      await expect(asked).rejects.toMatchObject({ infrastructure: true })
    },
  )

  it('shows other warnings as a note', async () => {
    const { asked } = await fetchThrough(
      answerWith({ warning: 'This is a cached snapshot.', content: 'Text' }),
    )
    expect(String((await asked).content)).toContain('This is a cached snapshot.')
  })

  it.each([
    ['[Elm (hotel)](https://a.example/Elm_(hotel))', 'https://a.example/Elm_(hotel)'],
    ['[Ash](https://a.example/Ash_\\(tree\\) "Ash (tree)")', 'https://a.example/Ash_(tree)'],
    ['[![logo](https://a.example/l.png)](https://a.example/home)', 'https://a.example/home'],
    ['[notes [1] here](https://a.example/n)', 'https://a.example/n'],
    ['<https://a.example/auto>', 'https://a.example/auto'],
    ['[spaces](https://a.example/x y)', 'https://a.example/x%20y'],
    ['[spaces](https://a.example/two words "A title (1)")', 'https://a.example/two%20words'],
    ['[Größe](https://a.example/größe 1)', 'https://a.example/größe%201'],
  ])('keeps a link whole: %s', async (content, url) => {
    const { asked } = await fetchThrough(answerWith({ content: `See ${content}.` }))
    const text = String((await asked).content)
    expect(text).toContain(`[1] ${url}\n`.trimEnd())
    expect(text).toMatch(/\[1\]\./)
  })

  it('lists a link without words, and writes nothing in its place', async () => {
    const { asked } = await fetchThrough(
      answerWith({
        content: 'See [](https://a.example/e), [ ](https://a.example/f) and [G](https://a.example/g).',
      }),
    )
    const text = String((await asked).content)
    expect(text).toContain('and G [3].')
    expect(text).not.toContain('](')
    expect(text).toContain('[3] https://a.example/g')
  })

  it.each([
    [402, { name: 'InsufficientBalanceError', message: 'Account balance not enough' }],
    [401, { message: 'Invalid API key' }],
    [200, { code: 402, message: 'Account balance not enough', data: null }],
  ])('ends the service when it refuses to work for this account: %i %j', async (status, body) => {
    const { asked } = await fetchThrough(() => ({ status, body: JSON.stringify(body) }))
    await expect(asked).rejects.toMatchObject({ name: 'ProviderError', fatalService: 'Jina Reader' })
  })

  it.each(['TimeoutError: Navigation timeout of 30000 ms exceeded', 'request timed out', 'Timed-out'])(
    "is not the model's fault when it is too slow: %s",
    async message => {
      const { asked } = await fetchThrough(() => ({ status: 422, body: JSON.stringify({ message }) }))
      await expect(asked).rejects.toMatchObject({ errorClass: 'http-status', infrastructure: true })
    },
  )
})
