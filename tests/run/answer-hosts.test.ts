import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { openWeb, withOneSearch } from '../../src/run/open-run/web.ts'
import { BlockedSourceError } from '../../tools/web/block-list.ts'

/** What a live web says to a page; the address is of this machine, so that nothing is ever sent. */
async function refusalOf(path: string, options: Record<string, unknown>): Promise<unknown> {
  const web = await openWeb({
    config: withOneSearch(resolveConfig({ tasks: 'tasks', out: 'run', ...options })),
    env: { SERPER_API_KEY: 'none' },
    searches: false,
    corpus: () => Promise.reject(new Error('no sealed web is asked for')),
  })
  const url = `http://127.0.0.1:9/${path}`
  const bounds = { timeoutMs: 1000, maxBytes: 1000, maxRedirects: 0 }
  const request = { method: 'GET', url, headers: {}, body: null, purpose: 'page', ...bounds } as const
  try {
    return await web.transport.send(request, new AbortController().signal).catch((error: unknown) => error)
  } finally {
    await web.close()
  }
}

it("blocks the sites that publish the answers of the run's benchmark", async () => {
  expect(await refusalOf('tianyumyum/AOE', { benchmark: 'aoe' })).toBeInstanceOf(BlockedSourceError)
  const extracts = { benchmark: 'extract-bench' }
  expect(await refusalOf('ContextualAI/extract-bench', extracts)).toBeInstanceOf(BlockedSourceError)
})

it('does not block the sites of another benchmark', async () => {
  for (const benchmark of ['extract-bench', 'spreadsheet']) {
    const refusal = await refusalOf('tianyumyum/AOE', { benchmark })
    expect(refusal).toBeInstanceOf(Error)
    expect(refusal).not.toBeInstanceOf(BlockedSourceError)
  }
})

it('blocks the sites in --block for every benchmark', async () => {
  const options = { benchmark: 'spreadsheet', block: '*tianyumyum/aoe*' }
  expect(await refusalOf('tianyumyum/AOE', options)).toBeInstanceOf(BlockedSourceError)
})
