import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { openWeb, type Web, withOneSearch } from '../../src/run/resources/web.ts'
import { type LocalWeb, localWeb } from '../tools/support/local-web.ts'

let service: LocalWeb
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-recorded-search-'))
  const results = [{ title: 'Annual report', url: 'https://site.example/', content: 'figures' }]
  service = await localWeb(() => ({ body: JSON.stringify({ results }) }))
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

async function titlesOf({ search, transport, close }: Web): Promise<string[]> {
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
