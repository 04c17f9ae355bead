import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { hashEmbedder } from '../../../../retrieval/embeddings/hash.ts'
import { searchServices } from '../../../../tools/search/registry.ts'
import { loadCorpus } from '../../../../tools/web/corpus-folder.ts'
import { serveCorpus } from '../../../../tools/web/sealed.ts'
import { buildTextCorpus } from '../../../../tools/web/text-corpus/build.ts'
import { noSignal, pageRequest, textOf } from '../local-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'tablehunt-corpus-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('serves a corpus of texts at its addresses, with both searches', async () => {
  const file = join(folder, 'texts.jsonl')
  const texts = ['ferry timetable of Lunde', 'ferry prices', 'a mountain railway']
  const lines = texts.map((text, at) =>
    JSON.stringify({ docid: String(at), url: `https://site-${at % 2}.example.org/page?id=${at}`, text }),
  )
  await writeFile(file, lines.join('\n'))
  const dense = { name: 'hash', embedder: hashEmbedder(), cacheFolder: folder }
  await buildTextCorpus({ files: [file], folder: folder, dense })
  const web = await serveCorpus(await loadCorpus(folder))
  try {
    const fetched = async (url: string) => await web.transport.send(pageRequest(url), noSignal())
    expect(textOf((await fetched('https://site-0.example.org/page?id=2')).body)).toBe(texts[2])
    expect((await fetched('https://site-0.example.org/page?id=9')).status).toBe(404)
    expect((await fetched('https://site-1.example.org/page?id=1')).headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
    })
    for (const name of ['bm25', 'dense', 'serper']) {
      const search = searchServices.get(name).create({ apiKey: 'any', baseUrl: web.searchUrl })
      const found = async (query: string) => {
        const request = { query, page: 1, language: null, region: null }
        const { hits } = await search.search(request, (method, url, headers, body) =>
          web.transport.send(pageRequest(url, { method, headers, body, purpose: 'service' }), noSignal()),
        )
        return hits.map(({ url }) => url)
      }
      expect((await found('ferry timetable'))[0], name).toBe('https://site-0.example.org/page?id=0')
      expect((await found('ferry site:site-1.example.org'))[0], name).toBe(
        'https://site-1.example.org/page?id=1',
      )
    }
  } finally {
    await web.close()
  }
})
