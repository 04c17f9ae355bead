import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { measureDrift } from '../../../tools/web/drift.ts'
import { createLiveTransport } from '../../../tools/web/live.ts'
import { createRecordingTransport } from '../../../tools/web/record.ts'
import { makePageRequest as pageRequestOfTools } from '../../../tools/web/transport.ts'
import { type LocalServer, noSignal, pageRequest, startServer } from './local-server.ts'

const sentence = 'The quick brown fox jumps over the lazy dog near the river bank today.'
let later = false
let site: LocalServer
let folder: string
const live = createLiveTransport({
  classify: () => null,
  resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-drift-'))
  site = await startServer((request, response) => {
    const path = request.url ?? '/'
    if (path === '/search') response.end('{}')
    else if (path === '/by-language') response.end(`<p>${request.headers['accept-language']}</p>`)
    else if (!later || path === '/same' || path === '/new') response.end(`<p>${sentence}</p>`)
    else if (path === '/changed')
      response.end(`<p>${sentence}</p><p>An extra paragraph that was not there.</p>`)
    else if (path === '/moved') response.writeHead(301, { location: '/new' }).end()
    else if (path === '/dead') response.writeHead(410).end()
    else response.destroy()
  })
  const recorder = await createRecordingTransport(live, { folder })
  for (const path of ['/same', '/changed', '/moved', '/dead', '/gone', '/same']) {
    await recorder.send(pageRequest(`http://site.example:${site.port}${path}`), noSignal())
  }
  await recorder.send(pageRequestOfTools(`http://site.example:${site.port}/by-language`), noSignal())
  const service = { purpose: 'service', method: 'POST', body: '{}' } as const
  await recorder.send(pageRequest(`http://127.0.0.1:${site.port}/search`, service), noSignal())
  later = true
})
afterAll(async () => {
  await live.close()
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

describe('drift', () => {
  it('reports what happened to every recorded page', async () => {
    const before = site.seen.length
    const drift = await measureDrift(folder, live)
    expect(drift.map(page => [new URL(page.url).pathname, page.verdict])).toEqual([
      ['/same', 'same'],
      ['/changed', 'changed'],
      ['/moved', 'moved'],
      ['/dead', 'died'],
      ['/gone', 'unreachable'],
      ['/by-language', 'same'],
    ])
    expect(drift[1]).toMatchObject({ status: 200, textShare: 1 })
    expect(drift[2]).toMatchObject({ finalUrl: `http://site.example:${site.port}/new`, status: 200 })
    expect(drift[3]).toMatchObject({ status: 410, detail: 'HTTP 410' })
    expect(site.seen.slice(before).filter(request => request.endsWith('/search'))).toEqual([])
  })
})

it('rejects a recording of a sealed web, whose hosts do not exist', async () => {
  const sealed = await mkdtemp(join(tmpdir(), 'tablehunt-drift-sealed-'))
  await createRecordingTransport(live, { folder: sealed, entries: [] })
  await expect(measureDrift(sealed, live)).rejects.toMatchObject({ code: 'sealed-recording' })
})
