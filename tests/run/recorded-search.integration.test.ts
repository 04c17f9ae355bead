import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { openWeb, type Web, withOneSearch } from '../../src/run/open-run/web.ts'
import { makePageRequest } from '../../tools/web/transport.ts'
import { type LocalWeb, localWeb } from '../tools/support/local-web.ts'

let service: LocalWeb
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-recorded-search-'))
  const results = [{ title: 'Annual report', url: 'https://site.example/', content: 'figures' }]
  const organic = [{ title: 'Attention', link: 'https://papers.example/1' }]
  service = await localWeb(() => ({ body: JSON.stringify({ results, organic }) }))
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

const open = (options: Record<string, unknown>, env: NodeJS.ProcessEnv) =>
  openWeb({
    config: withOneSearch(
      resolveConfig({ tasks: 't.jsonl', docs: folder, out: join(folder, 'run'), ...options }),
    ),
    env,
    searches: true,
    corpus: () => Promise.reject(new Error('no sealed web is asked for')),
  })

async function titlesOf({
  search,
  transport,
  close,
}: Pick<Web, 'close' | 'search' | 'transport'>): Promise<string[]> {
  const { signal } = new AbortController()
  const { hits } = await search.search(
    { query: 'annual report', page: 1, language: null, region: null },
    async (method, url, headers, body) => {
      const bounds = { timeoutMs: 5_000, maxBytes: 1_000_000, maxRedirects: 0 }
      return await transport.send({ method, url, headers, body, purpose: 'service', ...bounds }, signal)
    },
  )
  await close()
  return hits.map(hit => hit.title)
}

it('searches a recording as it was recorded, whatever search service and address the replay names', async () => {
  const record = join(folder, 'recording')
  const live = await open({ search: 'searxng', record }, { SEARXNG_BASE_URL: service.url })
  expect(await titlesOf(live)).toEqual(['Annual report'])
  const replayed = await open({ web: `replay:${record}` }, {})
  expect(replayed.searched).toEqual({ service: 'searxng', baseUrl: `${service.url}/` })
  expect(await titlesOf(replayed)).toEqual(['Annual report'])
  expect(service.requests).toHaveLength(1)
  await expect(open({ search: 'brave', record }, { BRAVE_API_KEY: 'key' })).rejects.toMatchObject({
    code: 'other-recording',
    message: expect.stringContaining('(searxng, not brave)'),
  })
})

it('finds papers in a recording as they were recorded', async () => {
  const record = join(folder, 'papers')
  const env = { SERPER_API_KEY: 'key', SERPER_BASE_URL: service.url }
  const tools = 'scholar_search'
  const live = await open({ search: 'serper', tools, record }, env)
  expect(await titlesOf({ ...live, search: live.scholar! })).toEqual(['Attention'])
  const sent = service.requests.length
  const replayed = await open({ web: `replay:${record}`, tools }, {})
  expect(await titlesOf({ ...replayed, search: replayed.scholar! })).toEqual(['Attention'])
  expect(service.requests).toHaveLength(sent)
})

it('names --user-agent and --contact in requests for pages', async () => {
  const agentFor = async (options: Record<string, unknown>) => {
    const { hostname } = new URL(service.url)
    const env = { SEARXNG_BASE_URL: service.url }
    const { transport, close } = await open({ search: 'searxng', allowHost: [hostname], ...options }, env)
    await transport.send(makePageRequest(service.url), new AbortController().signal)
    await close()
    return service.requests.at(-1)?.headers['user-agent']
  }
  const contact = 'research@elm.example'
  expect(await agentFor({ userAgent: 'Elm University', contact })).toBe(`Elm University ${contact}`)
  expect(await agentFor({ contact })).toMatch(/tablehunt.* research@elm\.example$/i)
})
