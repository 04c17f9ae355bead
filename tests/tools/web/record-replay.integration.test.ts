import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBlockList, parseBlockRule } from '../../../tools/web/block-list.ts'
import { buildCorpus } from '../../../tools/web/corpus-build.ts'
import { createLiveTransport } from '../../../tools/web/live.ts'
import { createRecordingTransport } from '../../../tools/web/record.ts'
import { createReplayTransport } from '../../../tools/web/replay.ts'
import { serveCorpus } from '../../../tools/web/sealed.ts'
import { type Transport, transportFor, type WebRequest } from '../../../tools/web/transport.ts'
import { type LocalServer, noSignal, pageRequest, startServer, textOf } from './local-server.ts'
import { sampleInput } from './sample-corpus.ts'

const secret = 'sk-very-secret-0123456789'
let site: LocalServer
let count = 0
const live = createLiveTransport({
  classify: () => null,
  resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  blockList: createBlockList([parseBlockRule('leaks.example')]),
})

beforeAll(async () => {
  site = await startServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site.example')
    if (pathname === '/count') response.end(`answer ${++count}`)
    else if (pathname === '/busy-once') response.writeHead(++count === 1 ? 429 : 200).end(`try ${count}`)
    else if (pathname === '/reset') response.destroy()
    else if (pathname === '/echo') {
      response.writeHead(200, {
        'set-cookie': `session=${secret}; issued=here`,
        'x-your-key': secret,
        etag: '"1"',
      })
      response.end(
        `key: ${request.headers['x-api-key']}, auth: ${request.headers.authorization}, ${request.url}`,
      )
    } else if (pathname === '/moved') response.writeHead(302, { location: '/page' }).end()
    else response.end(`page ${request.url}`)
  })
})
afterAll(async () => {
  await live.close()
  await site.close()
})

let folder: string
beforeEach(async () => {
  count = 0
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-recording-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const at = (path: string) => `http://site.example:${site.port}${path}`
const serviceAt = (path: string) => `http://127.0.0.1:${site.port}${path}`
const ask = (transport: Transport, path: string, overrides: Partial<WebRequest> = {}) => {
  const url = overrides.purpose === 'service' ? serviceAt(path) : at(path)
  return transport.send(pageRequest(url, overrides), noSignal())
}
const record = () => createRecordingTransport(live, { folder })
const strict = () => createReplayTransport({ folder })

async function everythingWritten(): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter(entry => entry.isFile())
  return (await Promise.all(files.map(file => readFile(join(file.parentPath, file.name), 'latin1')))).join(
    '\n',
  )
}

describe('a recording, replayed strictly', () => {
  it('returns the recorded responses without any network', async () => {
    const recorder = await record()
    const answers = [
      await ask(recorder, '/page'),
      await ask(recorder, '/moved'),
      await ask(recorder, '/nothing'),
    ]
    const asked = site.seen.length
    const replay = await strict()
    for (const [index, path] of ['/page', '/moved', '/nothing'].entries()) {
      expect(await ask(replay, path)).toEqual(answers[index])
    }
    expect(site.seen.length).toBe(asked)
    expect(answers[1]!.finalUrl).toBe(at('/page'))
  })

  it('returns each attempt its own responses in order, however attempts interleave', async () => {
    const recorder = await record()
    const attempts = ['a', 'b'].map(id => transportFor(recorder, id))
    const got: string[][] = [[], []]
    for (const who of [0, 1, 1, 0, 0, 1]) got[who]!.push(textOf((await ask(attempts[who]!, '/count')).body))
    const replay = await strict()
    const [a, b] = ['a', 'b'].map(id => transportFor(replay, id))
    for (let turn = 0; turn < 3; turn++) {
      expect(textOf((await ask(b!, '/count')).body)).toBe(got[1]![turn])
      expect(textOf((await ask(a!, '/count')).body)).toBe(got[0]![turn])
    }
    expect(textOf((await ask(a!, '/count')).body)).toBe(got[0]![2])
    expect(textOf((await ask(transportFor(replay, 'stranger'), '/count')).body)).toBe('answer 1')
  })

  it('keeps the responses to concurrent requests, whichever came first', async () => {
    const answerAfter = [30, 0, 0]
    let made = 0
    const slowFirst: Transport = {
      name: 'live',
      async send({ url }) {
        const number = made++
        await new Promise(resolve => setTimeout(resolve, answerAfter[number]))
        const status = number === 1 ? 429 : 200
        return { status, headers: {}, body: Buffer.from(`answer ${number}`), finalUrl: url }
      },
    }
    const ways = async (transport: Transport) => {
      const [first, second] = await Promise.all([ask(transport, '/same'), ask(transport, '/same')])
      return [first, second, await ask(transport, '/same')].map(answer => textOf(answer.body))
    }
    const got = await ways(transportFor(await createRecordingTransport(slowFirst, { folder }), 'a'))
    expect(got).toEqual(['answer 0', 'answer 1', 'answer 2'])
    expect(await ways(transportFor(await strict(), 'a'))).toEqual(got)
  })

  it('repeats failures: statuses, broken connections, blocked places', async () => {
    const recorder = await record()
    const busy = [await ask(recorder, '/busy-once'), await ask(recorder, '/busy-once')]
    await expect(ask(recorder, '/reset')).rejects.toThrow()
    const leak = pageRequest(`http://leaks.example:${site.port}/gold`)
    await expect(recorder.send(leak, noSignal())).rejects.toThrow()
    const replay = await strict()
    expect([await ask(replay, '/busy-once'), await ask(replay, '/busy-once')]).toEqual(busy)
    expect(busy.map(answer => answer.status)).toEqual([429, 200])
    await expect(ask(replay, '/reset')).rejects.toMatchObject({ errorClass: 'network', infrastructure: true })
    await expect(replay.send(leak, noSignal())).rejects.toMatchObject({
      errorClass: 'blocked',
      rule: 'leaks.example',
    })
  })

  it('ignores keys, headers, fragments and the order of JSON fields when it compares requests', async () => {
    const recorder = await record()
    const post = (body: string, headers: Record<string, string>) => ({
      method: 'POST' as const,
      purpose: 'service' as const,
      body,
      headers,
    })
    await ask(
      recorder,
      '/search?api_key=one',
      post('{"q":"x","num":10,"api_key":"one"}', { 'x-api-key': secret }),
    )
    const replay = await strict()
    const again = await ask(replay, '/search?api_key=two#top', post('{"api_key":"two","num":10,"q":"x"}', {}))
    expect(again.status).toBe(200)
    const other = ask(replay, '/search?api_key=two', post('{"q":"y","num":10}', {}))
    await expect(other).rejects.toMatchObject({ errorClass: 'replay-miss', infrastructure: false })
  })

  it("distinguishes a page's own parameters, even one named key", async () => {
    const recorder = await record()
    await ask(recorder, '/page?key=chapter-one')
    await ask(recorder, '/page?key=chapter-two')
    const replay = await strict()
    expect(textOf((await ask(replay, '/page?key=chapter-two')).body)).toBe('page /page?key=chapter-two')
    await expect(ask(replay, '/page?key=chapter-three')).rejects.toMatchObject({ errorClass: 'replay-miss' })
  })

  it('refuses a recorded body beyond the limit, as the live web would', async () => {
    await ask(await record(), '/page')
    await expect(ask(await strict(), '/page', { maxBytes: 3 })).rejects.toMatchObject({
      errorClass: 'too-large',
    })
  })
})

describe('the content of a recording', () => {
  it('keeps words on a page that equal cookie names', async () => {
    const data = '{"currency":"USD","language":"en"}'
    const inner: Transport = {
      name: 'live',
      send: async ({ url }) => ({ status: 200, headers: {}, body: Buffer.from(data), finalUrl: url }),
    }
    const recorder = await createRecordingTransport(inner, { folder })
    const headers = { cookie: `currency=USD; language=en; session=${secret}` }
    expect(textOf((await ask(recorder, '/data', { headers })).body)).toBe(data)
  })

  it('contains no key, cookie or authorization, even when the server repeats them', async () => {
    const recorder = await record()
    const headers = { 'x-api-key': secret, authorization: `Bearer ${secret}`, cookie: `a=${secret}` }
    const answer = await ask(recorder, `/echo?token=${secret}`, { headers, purpose: 'service' })
    expect(answer.status).toBe(200)
    const page = pageRequest(`http://user:${secret}@site.example:${site.port}/echo`)
    await expect(recorder.send(page, noSignal())).rejects.toThrow()
    const reset = ask(recorder, `/reset?token=${secret}`, { purpose: 'service' })
    await expect(reset).rejects.toThrow(/reset\?token=removed/)
    const written = await everythingWritten()
    expect(written).toContain('/echo')
    expect(written).not.toContain(secret)
    expect(written).not.toContain('issued=here')
    const replay = await strict()
    expect(await ask(replay, '/echo?token=other', { headers: {}, purpose: 'service' })).toEqual(answer)
  })

  it('stores equal bodies once', async () => {
    const recorder = await record()
    for (let turn = 0; turn < 3; turn++) await ask(recorder, '/page')
    expect(await readdir(join(folder, 'bodies'))).toHaveLength(1)
    expect((await readFile(join(folder, 'index.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(3)
  })

  it('continues after a kill and loses only the incomplete line', async () => {
    await ask(await record(), '/page?1')
    await appendFile(join(folder, 'index.jsonl'), '{"key":"half a li')
    await ask(await record(), '/page?2')
    const replay = await strict()
    expect((await ask(replay, '/page?1')).status).toBe(200)
    expect((await ask(replay, '/page?2')).status).toBe(200)
  })

  it('replaces the responses of a repeated attempt', async () => {
    const first = transportFor(await record(), 'a')
    for (let turn = 0; turn < 3; turn++) await ask(first, '/count')
    const second = transportFor(await record(), 'a')
    await ask(second, '/count')
    const replay = transportFor(await strict(), 'a')
    expect(textOf((await ask(replay, '/count')).body)).toBe('answer 4')
    expect(textOf((await ask(replay, '/count')).body)).toBe('answer 4')
  })

  it('is rejected when missing, changed by hand, or not writable', async () => {
    const missing = createReplayTransport({ folder: join(folder, 'none') })
    await expect(missing).rejects.toMatchObject({ code: 'missing-recording' })
    await ask(await record(), '/page')
    const [body] = await readdir(join(folder, 'bodies'))
    await writeFile(join(folder, 'bodies', body!), 'other')
    await expect(ask(await strict(), '/page')).rejects.toMatchObject({ code: 'damaged-recording' })
    const index = join(folder, 'index.jsonl')
    await writeFile(index, (await readFile(index, 'utf8')).replace(body!, '../../../etc/hostname'))
    await expect(strict()).rejects.toMatchObject({ code: 'damaged-recording' })
    await writeFile(index, 'no JSON\n')
    await expect(strict()).rejects.toMatchObject({
      code: 'damaged-recording',
      message: expect.stringContaining('index.jsonl:1'),
    })
    const file = join(folder, 'recording.json')
    const recorder = createRecordingTransport(live, { folder: file })
    await expect(recorder).rejects.toMatchObject({ code: 'recording-not-writable' })
  })
})

describe('a recording folder', () => {
  it('without its index or a body is reported as damaged', async () => {
    await ask(await record(), '/page')
    const replay = await strict()
    await rm(join(folder, 'bodies'), { recursive: true })
    await expect(ask(replay, '/page')).rejects.toMatchObject({ code: 'damaged-recording' })
    await rm(join(folder, 'index.jsonl'))
    await expect(strict()).rejects.toMatchObject({ code: 'damaged-recording' })
  })

  it('is continued only by the same web', async () => {
    const entries = (await buildCorpus(sampleInput(4))).items.map(item => item.entry)
    const readLater = entries.map(entry => ({ ...entry, title: 'read', snippet: 'at last' })).reverse()
    const sealed = (some = entries) =>
      createRecordingTransport({ ...live, name: 'sealed' }, { folder, entries: some })
    await record()
    await ask(await sealed(readLater), '/page?1')
    await ask(await sealed(), '/page?2')
    const before = await everythingWritten()
    await expect(record()).rejects.toMatchObject({
      code: 'other-recording',
      message: expect.stringContaining(`--record ${folder}: `),
    })
    await expect(sealed(entries.slice(1))).rejects.toMatchObject({ code: 'other-recording' })
    expect(await everythingWritten()).toBe(before)
    await ask(await strict(), '/page?1')
    await ask(await strict(), '/page?2')
  })
})

describe('a replay in mode auto', () => {
  it('requests what is unknown once and records it', async () => {
    await ask(await record(), '/page?1')
    const asked = site.seen.length
    const auto = await createReplayTransport({ folder, live })
    await ask(auto, '/page?1')
    expect(site.seen.length).toBe(asked)
    await ask(auto, '/page?2')
    expect(site.seen.length).toBe(asked + 1)
    const replay = await strict()
    expect(textOf((await ask(replay, '/page?2')).body)).toBe('page /page?2')
  })
})

describe('a sealed web, recorded', () => {
  it('is replayed after it was closed, with the address of every document', async () => {
    const corpus = await buildCorpus(sampleInput(4))
    const entries = corpus.items.map(item => item.entry)
    const web = await serveCorpus(corpus)
    const recorder = await createRecordingTransport(web.transport, { folder, entries })
    const search = pageRequest(`${web.searchUrl}/search`, {
      method: 'POST',
      purpose: 'service',
      headers: { 'x-api-key': secret },
      body: '{"q":"ALDER report"}',
    })
    const requests = [search, ...entries.map(entry => pageRequest(entry.resultUrl))]
    const answers = []
    for (const request of requests) answers.push(await recorder.send(request, noSignal()))
    await web.close()
    const replay = await strict()
    for (const [index, request] of requests.entries()) {
      expect(await replay.send(request, noSignal())).toEqual(answers[index])
    }
    expect(replay.entries).toEqual(entries)
    expect(await everythingWritten()).not.toContain(secret)
  })
})
