import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 as hashOf } from '../../../src/system/hash.ts'
import { createBlockingTransport, createBlockList, parseBlockRule } from '../../../tools/web/block-list.ts'
import type { Corpus, CorpusEntry } from '../../../tools/web/corpus.ts'
import { buildCorpus } from '../../../tools/web/corpus-build.ts'
import { type SealedWeb, serveCorpus } from '../../../tools/web/sealed.ts'
import { hostileUrls } from './hostile-urls.ts'
import { noSignal, pageRequest, startServer, textOf } from './local-server.ts'
import { sampleInput } from './sample-corpus.ts'

interface SearchBody {
  readonly searchParameters: Record<string, unknown>
  readonly organic: readonly { title: string; link: string; snippet: string; position: number }[]
  readonly credits: number
  readonly message?: string
}

let corpus: Corpus
let web: SealedWeb
beforeAll(async () => {
  corpus = await buildCorpus(sampleInput(12))
  web = await serveCorpus(corpus)
})
afterAll(() => web.close())

const entry = (fits: (candidate: CorpusEntry) => boolean): CorpusEntry => {
  const found = corpus.items.map(item => item.entry).find(fits)
  if (found === undefined) throw new Error('the sample corpus has no such entry')
  return found
}

async function search(body: unknown, headers: Record<string, string> = { 'X-API-KEY': 'any' }) {
  const response = await web.transport.send(
    pageRequest(`${web.searchUrl}/search`, {
      method: 'POST',
      purpose: 'service',
      headers: { ...headers, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
    noSignal(),
  )
  return { status: response.status, body: JSON.parse(textOf(response.body)) as SearchBody }
}

describe('the sealed search', () => {
  it('answers as Serper does', async () => {
    const { status, body } = await search({ q: 'ALDER quarterly revenue', gl: 'us', num: 5 })
    expect(status).toBe(200)
    expect(body.searchParameters).toMatchObject({ q: 'ALDER quarterly revenue', gl: 'us', num: 5, page: 1 })
    expect(body.credits).toBe(1)
    expect(body.organic.map(hit => hit.position)).toEqual([1, 2, 3, 4, 5])
    expect(body.organic[0]).toMatchObject({ title: expect.stringContaining('ALDER') })
  })

  it('finds a document by the words of its file name, even when no result shows it', async () => {
    for (const { name, nameHidden, resultUrl } of corpus.items.map(item => item.entry)) {
      if (!name.endsWith('.pdf')) continue
      const { body } = await search({ q: name })
      expect(body.organic.slice(0, 3).map(hit => hit.link)).toContain(resultUrl)
      if (nameHidden) expect(JSON.stringify(body.organic)).not.toContain(name.replace('.pdf', ''))
    }
  })

  it('finds Chinese text by words inside a sentence', async () => {
    const { body } = await search({ q: '骗取人民币' })
    expect(body.organic[0]!.title).toContain('诈骗案')
    expect(body.organic[0]!.snippet).toContain('骗取')
  })

  it('returns further pages without repeats, and none past the end', async () => {
    const links = async (page: number) =>
      (await search({ q: 'quarterly report', num: 10, page })).body.organic.map(hit => hit.link)
    const [first, second, far] = [await links(1), await links(2), await links(50)]
    expect(new Set([...first, ...second]).size).toBe(20)
    expect(far).toEqual([])
  })

  it('narrows the search by site: and filetype:', async () => {
    const { host } = entry(candidate => candidate.contentType === 'application/pdf')
    const bySite = await search({ q: `report site:${host}`, num: 50 })
    expect(bySite.body.organic.length).toBeGreaterThan(0)
    expect(bySite.body.organic.every(hit => new URL(hit.link).hostname === host)).toBe(true)
    const byType = await search({ q: '诈骗案 filetype:pdf' })
    expect(byType.body.organic.every(hit => !hit.title.includes('诈骗案'))).toBe(true)
  })

  it('rejects a missing key, an empty query and a body that is not JSON', async () => {
    for (const headers of [{}, { 'X-API-KEY': ' ' }]) {
      const { status, body } = await search({ q: 'x' }, headers as Record<string, string>)
      expect([status, body]).toEqual([403, { message: 'Unauthorized.', statusCode: 403 }])
    }
    expect((await search({ q: '' })).status).toBe(400)
    expect((await search('{"q":')).status).toBe(400)
  })

  it('finds nothing for a query that shares no word with the corpus', async () => {
    expect((await search({ q: 'zyzzyva' })).body.organic).toEqual([])
  })
})

describe('the sealed pages', () => {
  it('serves a document by its virtual address, over http and https', async () => {
    const { url, sha256 } = entry(candidate => candidate.hint?.endsWith('.pdf') === true)
    for (const address of [url, url.replace('https:', 'http:'), `${url}#page=2`]) {
      const answer = await web.transport.send(pageRequest(address), noSignal())
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('application/pdf')
      expect(hashOf(answer.body)).toBe(sha256)
    }
  })

  it('has a landing page that links to the document by its file name', async () => {
    const document = entry(candidate => candidate.nameHidden && candidate.landingUrl !== null)
    const answer = await web.transport.send(pageRequest(document.landingUrl!), noSignal())
    expect(textOf(answer.body)).toContain(`<a href="${document.url}">${document.name}</a>`)
  })

  it('has a front page for each host that leads to its documents', async () => {
    const { host, landingUrl } = entry(candidate => candidate.landingUrl !== null)
    const answer = await web.transport.send(pageRequest(`https://${host}/`), noSignal())
    expect(textOf(answer.body)).toContain(landingUrl)
  })

  it('answers 404 for an unknown page and an unknown name for an unknown host', async () => {
    const { host } = entry(() => true)
    const answer = await web.transport.send(pageRequest(`https://${host}/nothing`), noSignal())
    expect(answer.status).toBe(404)
    const unknown = web.transport.send(pageRequest('https://elsewhere.example/'), noSignal())
    await expect(unknown).rejects.toMatchObject({ errorClass: 'network', infrastructure: false })
  })

  it('reveals nothing about this machine, its ports or the time', async () => {
    for (const { entry: known } of corpus.items) {
      for (const url of [known.landingUrl, `https://${known.host}/`]) {
        if (url === null) continue
        const answer = await web.transport.send(pageRequest(url), noSignal())
        expect(textOf(answer.body)).not.toMatch(/127\.0\.0|localhost|twin|hint/)
        expect(answer.headers).not.toHaveProperty('date')
      }
    }
  })

  it('answers nobody but its own transport at its port', async () => {
    const { url } = entry(candidate => candidate.hint?.endsWith('.pdf') === true)
    const { host, pathname } = new URL(url)
    for (const headers of [
      { host },
      { host, 'x-tablehunt-key': '' },
      { host, 'x-tablehunt-key': 'x'.repeat(32) },
    ])
      for (const path of ['/', pathname, '/search', '//', '/%zz']) {
        const answer = await fetch(`${web.baseUrl}${path}`, { headers })
        expect([answer.status, await answer.text()]).toEqual([403, 'This server answers its own run only.\n'])
      }
  })

  it('may be opened for all programs of the machine, with hosts as the first part of the path', async () => {
    const open = await serveCorpus(corpus, { isOpen: true })
    const { url, sha256 } = entry(candidate => candidate.hint?.endsWith('.pdf') === true)
    const answer = await fetch(`${open.baseUrl}/${url.replace('https://', '')}`)
    expect(answer.status).toBe(200)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(hashOf(bytes)).toBe(sha256)
    const found = await fetch(`${open.baseUrl}/search`, {
      method: 'POST',
      headers: { 'X-API-KEY': 'k' },
      body: '{"q":"ALDER"}',
    })
    expect(found.status).toBe(200)
    await open.close()
  })

  it.each(hostileUrls)('does not lead to this machine by %j', async template => {
    const canary = await startServer((_request, response) => response.end('canary'))
    const url = template.replaceAll('PORT', String(canary.port))
    await expect(web.transport.send(pageRequest(url), noSignal())).rejects.toMatchObject({
      name: 'ToolError',
    })
    expect(canary.seen).toEqual([])
    await canary.close()
  })

  it('explains what to do when its port is in use', async () => {
    const other = await startServer((_request, response) => response.end())
    const taken = serveCorpus(corpus, { port: other.port })
    await expect(taken).rejects.toMatchObject({ name: 'ConfigError', code: 'port-not-available' })
    await expect(taken).rejects.toThrow(`port ${other.port} is in use. Choose another.`)
    await other.close()
  })

  it('answers the same on another port', async () => {
    const second = await serveCorpus(corpus)
    const ask = (site: SealedWeb, url: string) => site.transport.send(pageRequest(url), noSignal())
    for (const { entry: known } of corpus.items) {
      expect(await ask(second, known.resultUrl)).toEqual(await ask(web, known.resultUrl))
    }
    await second.close()
  })
})

describe('a block list on a sealed web', () => {
  it('refuses the pages of its rules, and no search', async () => {
    const { resultUrl } = corpus.items[0]!.entry
    const other = corpus.items.find(item => new URL(item.entry.resultUrl).host !== new URL(resultUrl).host)!
    const rules = createBlockList([parseBlockRule(new URL(resultUrl).host)])
    const blocked = createBlockingTransport(web.transport, rules)
    await expect(blocked.send(pageRequest(resultUrl), noSignal())).rejects.toMatchObject({
      errorClass: 'blocked',
    })
    const attempt = blocked.forAttempt?.('a') ?? blocked
    await expect(attempt.send(pageRequest(resultUrl), noSignal())).rejects.toMatchObject({
      errorClass: 'blocked',
    })
    expect((await blocked.send(pageRequest(other.entry.resultUrl), noSignal())).status).toBe(200)
    const request = { purpose: 'service', method: 'POST', body: '{"q":"ALDER"}' } as const
    const headers = { 'X-API-KEY': 'any', 'content-type': 'application/json' }
    const search = pageRequest(`${web.searchUrl}/search`, { ...request, headers })
    expect((await blocked.send(search, noSignal())).status).toBe(200)
  })
})
