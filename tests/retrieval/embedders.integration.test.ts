import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Embedder, normalise } from '../../retrieval/embeddings/embedder.ts'
import { hashEmbedder } from '../../retrieval/embeddings/hash.ts'
import { embedInBatches } from '../../retrieval/embeddings/vector-cache.ts'
import { findEmbedder, parseEmbedderName } from '../../retrieval/registry.ts'
import { createRetrievals } from '../../retrieval/retrieval.ts'
import { ProviderError } from '../../src/core/errors.ts'
import type { Clock } from '../../src/core/runtime.ts'
import type { Question } from '../../src/core/task.ts'

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers?: Record<string, string>
}
type Handler = (path: string, body: { model: string; input: string[]; documents: string[] }) => Answer

let server: Server
let base = ''
let handler: Handler
let calls: { path: string; headers: IncomingHttpHeaders; body: string }[] = []
const folder = mkdtempSync(join(tmpdir(), 'embedders-'))
const signal = new AbortController().signal
const options = { cacheFolder: folder, signal }
const waits: number[] = []
const clock: Clock = {
  now: () => 0,
  sleep: async ms => {
    waits.push(ms)
  },
}

/** Returns six dimensions by letter counts, so that texts with the same letters are near. */
const vectorOf = (text: string) => [...'aeiouy'].map(letter => text.split(letter).length)
const json = (value: unknown): Answer => ({ status: 200, body: JSON.stringify(value) })
const honest: Handler = (path, body) =>
  path === '/api/embed'
    ? json({ embeddings: body.input.map(vectorOf) })
    : path === '/v1/rerank'
      ? json({ results: body.documents.map((text, index) => ({ index, relevance_score: -text.length })) })
      : json({
          data: body.input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse(),
        })

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (data: Buffer) => {
      body += data.toString()
    })
    request.on('end', () => {
      calls.push({ path: request.url ?? '', headers: request.headers, body })
      const answer = handler(request.url ?? '', JSON.parse(body))
      response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  handler = honest
  calls = []
  waits.length = 0
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function embedderOf(text: string, environment: Record<string, string> = {}): Promise<Embedder> {
  const { entry, ...named } = findEmbedder(text)
  return await entry.load({ ...named, environment, clock })
}

describe('hash', () => {
  it('ranks a text about the same subject nearest, in both languages', async () => {
    const [query, near, far, zhQuery, zhNear, zhFar] = await hashEmbedder().embedChunks(
      [
        'total revenues of the company',
        'Company revenue in total: 5,048',
        'The swimmer won the race in Fukuoka',
        '公司营业收入是多少',
        '本期营业收入合计五千万元',
        '被告人被判处有期徒刑三年',
      ],
      signal,
    )
    const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0)
    expect(dot(query!, near!)).toBeGreaterThan(dot(query!, far!) + 0.1)
    expect(dot(zhQuery!, zhNear!)).toBeGreaterThan(dot(zhQuery!, zhFar!) + 0.1)
  })
  it('returns a zero vector for a text without words', async () => {
    const [vector] = await hashEmbedder().embedChunks([' … '], signal)
    expect(vector!.every(value => value === 0)).toBe(true)
    expect(normalise(vector!).some(Number.isNaN)).toBe(false)
  })
})

describe('openai', () => {
  it('uses one model for chunks and another for queries when two are named', async () => {
    const embedder = await embedderOf(`openai:e5-passage,e5-query@${base}/v1`)
    await embedder.embedChunks(['a'], signal)
    await embedder.embedQuery('b', signal)
    expect(calls.map(call => JSON.parse(call.body).model)).toEqual(['e5-passage', 'e5-query'])
  })
  it('sends the key when one is set, and needs none with a URL', async () => {
    await (await embedderOf(`openai:m@${base}/v1`)).embedQuery('a', signal)
    await (await embedderOf(`openai:m@${base}/v1`, { OPENAI_API_KEY: 'sk-1' })).embedQuery('a', signal)
    expect(calls.map(call => call.headers.authorization)).toEqual([undefined, 'Bearer sk-1'])
  })
  it('refuses a name without a model, and a model without a key or a URL', async () => {
    await expect(embedderOf('openai:m')).rejects.toMatchObject({ code: 'missing-key' })
    await expect(embedderOf('openai')).rejects.toMatchObject({ code: 'missing-embedder-model' })
  })
  it.each([
    [401, '{"error":"bad sk-secret"}', 'auth', /key/, 1],
    [403, '{}', 'auth', /key/, 1],
    [402, '{}', 'auth', /credit/, 1],
    [429, '{"error":{"code":"insufficient_quota"}}', 'auth', /credit/, 1],
    [429, '{"code":"insufficient_quota","message":"see #token-limit"}', 'rate-limited', /too many/, 5],
    [400, '{"message":"Your credit balance is too low"}', 'auth', /credit/, 1],
    [429, 'slow down', 'rate-limited', /too many/, 5],
    [503, '', 'unavailable', /failed/, 5],
    [404, 'no such model', 'bad-response', /no such model/, 1],
    [307, '', 'bad-response', /307/, 1],
    [200, '<html>', 'bad-response', /does not fit/, 1],
    [200, '{"data":[]}', 'bad-response', /0 vectors for 1 texts/, 1],
    [200, '{"data":[{"index":0,"embedding":[]}]}', 'bad-response', /does not fit/, 1],
    [200, '{"data":[{"index":0,"embedding":[0,0,0]}]}', 'bad-response', /a vector of zeros/, 1],
    [200, '{"data":[{"index":0,"embedding":[1e39,1]}]}', 'bad-response', /too large/, 1],
    [200, '{"data":[{"index":0,"embedding":"AAA="}]}', 'bad-response', /does not fit/, 1],
    [200, '{"error":{"code":429,"message":"busy"}}', 'rate-limited', /too many/, 5],
    [200, '{"error":"Rate limit reached, try again later"}', 'rate-limited', /too many/, 5],
    [200, '{"error":{"message":"engine is gone"}}', 'unavailable', /engine is gone/, 5],
    [200, '{"message":"insufficient credits"}', 'auth', /credit/, 1],
    [200, '{"error":{"code":400,"message":"batch size is too large"}}', 'bad-response', /refused/, 1],
  ])('answers HTTP %i %s with %s', async (status, body, reason, message, tries) => {
    handler = () => ({ status, body, headers: status === 307 ? { location: `${base}/elsewhere` } : {} })
    const embedder = await embedderOf(`openai:m@${base}/v1`, { OPENAI_API_KEY: 'sk-secret' })
    const error = await embedder.embedQuery('a', signal).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject({ reason, message: expect.stringMatching(message) })
    expect(String(error)).not.toContain('sk-secret')
    expect(calls.length).toBe(tries)
  })
  const bytesOf = (text: string) => Buffer.from(Float32Array.from(vectorOf(text)).buffer).toString('base64')
  it.each<[string, (texts: readonly string[]) => object[]]>([
    ['without indexes', texts => texts.map(text => ({ embedding: vectorOf(text) }))],
    ['all with the index 0', texts => texts.map(text => ({ index: 0, embedding: vectorOf(text) }))],
    [
      'whose indexes begin again after two texts',
      texts => texts.map((text, at) => ({ index: at % 2, embedding: vectorOf(text) })),
    ],
    [
      'in another order',
      texts => texts.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse(),
    ],
    [
      'counted from 1',
      texts => texts.map((text, at) => ({ index: at + 1, embedding: vectorOf(text) })).reverse(),
    ],
    ['as bytes', texts => texts.map((text, index) => ({ index, embedding: bytesOf(text) }))],
  ])('gives each text its own vector from an answer with vectors %s', async (_, list) => {
    handler = (_path, { input }) => json({ data: list(input) })
    const texts = ['a', 'ee', 'iii', 'oooo', 'uuuuu']
    const vectors = await (await embedderOf(`openai:m@${base}/v1`)).embedChunks(texts, signal)
    expect(vectors).toEqual(texts.map(text => normalise(Float32Array.from(vectorOf(text)))))
  })
  it.each([
    { 'retry-after': '7' },
    { 'retry-after': 'Fri, 31 Dec 1999 23:59:56 GMT', date: 'Fri, 31 Dec 1999 23:59:49 GMT' },
  ])('waits as long as the service asks by %j, then repeats the request', async headers => {
    let count = 0
    handler = (path, body) => (++count === 1 ? { status: 429, body: '', headers } : honest(path, body))
    await (await embedderOf(`openai:m@${base}/v1`)).embedQuery('a', signal)
    expect(waits).toEqual([7000])
  })
  it('waits as long as the service asks in words', async () => {
    let count = 0
    const refused = { status: 429, body: '{"message":"Please try again in 1.5s."}' }
    handler = (path, body) => (++count === 1 ? refused : honest(path, body))
    await (await embedderOf(`openai:m@${base}/v1`)).embedQuery('a', signal)
    expect(waits).toEqual([1500])
  })
  it('is unavailable when no server listens', async () => {
    const embedder = await embedderOf('openai:m@http://127.0.0.1:9/v1')
    await expect(embedder.embedQuery('a', signal)).rejects.toMatchObject({ reason: 'unavailable' })
  })
  it('stops immediately when it is cancelled', async () => {
    const controller = new AbortController()
    handler = () => {
      controller.abort(new Error('cancelled'))
      return { status: 503, body: '' }
    }
    const embedder = await embedderOf(`openai:m@${base}/v1`)
    await expect(embedder.embedQuery('a', controller.signal)).rejects.toThrow('cancelled')
    expect(calls.length).toBe(1)
  })
})

describe('onnx', () => {
  it('requires the name of a model and an installed package', async () => {
    await expect(embedderOf('onnx')).rejects.toMatchObject({ code: 'missing-embedder-model' })
    await expect(embedderOf('onnx:Xenova/bge-m3')).rejects.toMatchObject({ code: 'missing-package' })
  })
})

describe('parseEmbedderName', () => {
  it.each([
    ['hash', { kind: 'hash', model: '', url: null }],
    ['ollama:qwen3:8b', { kind: 'ollama', model: 'qwen3:8b', url: null }],
    ['openai:BAAI/bge-m3@http://h:1/v1', { kind: 'openai', model: 'BAAI/bge-m3', url: 'http://h:1/v1' }],
    ['onnx:./models/a@b', { kind: 'onnx', model: './models/a@b', url: null }],
  ])('reads %s', (text, expected) => {
    expect(parseEmbedderName(text)).toEqual(expected)
  })
  it('refuses a name without a kind', () => {
    const code = 'invalid-embedder-name'
    expect(() => parseEmbedderName(':x')).toThrow(expect.objectContaining({ code }))
  })
})

describe('cached vectors', () => {
  it('are read from disk, and an interrupted indexing continues', async () => {
    const texts = Array.from({ length: 100 }, (_, index) => `text ${index}`)
    const embedder = await embedderOf(`openai:m@${base}/v1`)
    handler = (path, body) => (calls.length === 3 ? { status: 401, body: '' } : honest(path, body))
    await expect(embedInBatches(embedder, texts, options)).rejects.toMatchObject({ reason: 'auth' })
    handler = honest
    calls = []
    const progress: number[] = []
    const vectors = await embedInBatches(embedder, texts, {
      ...options,
      progress: done => progress.push(done),
    })
    expect([calls.length, progress.at(-1)]).toEqual([5, 100])
    expect(await embedInBatches(embedder, texts, options)).toEqual(vectors)
    expect(calls.length).toBe(5)
  })

  it('are found by their text alone, and each text is sent once', async () => {
    const embedder = await embedderOf(`openai:m@${base}/v1`)
    const [first] = await embedInBatches(embedder, ['aa', 'ee', 'aa'], options)
    calls = []
    const again = await embedInBatches(embedder, ['oo', 'aa', 'oo'], options)
    expect([calls.length, again[0], again[1]]).toEqual([1, again[2], first])
    const other = await embedderOf(`openai:n@${base}/v1`)
    await embedInBatches(other, ['aa'], options)
    expect(calls.length).toBe(2)
  })

  it('are computed again when the file on disk is incomplete', async () => {
    const embedder = await embedderOf(`openai:m@${base}/v1`)
    const vectors = await embedInBatches(embedder, ['aa'], options)
    const [file] = readdirSync(folder, { recursive: true }).filter(name => String(name).endsWith('.f32'))
    truncateSync(join(folder, String(file)), 5)
    expect(await embedInBatches(embedder, ['aa'], options)).toEqual(vectors)
  })
})

describe('servers with limits', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `${'a'.repeat(at % 7)} text ${at}`)
  const refused = (status: number, message: string): Answer => ({
    ...{ status, body: JSON.stringify({ error: { message } }) },
  })
  const cases: [string, (input: string[]) => Answer | null, number][] = [
    [
      '10 texts',
      input => (input.length > 10 ? refused(400, 'batch size is invalid, not larger than 10') : null),
      0,
    ],
    ['one text', input => (input.length > 1 ? refused(422, 'one input at a time') : null), 1],
    ['few bytes', input => (input.join('').length > 60 ? refused(413, 'payload too large') : null), 2],
    [
      'few tokens, said with 500',
      input =>
        input.join('').length > 80
          ? refused(500, 'input is too large to process. increase the batch size')
          : null,
      3,
    ],
    [
      'five texts, the others are ignored',
      input =>
        input.length > 5
          ? json({ data: input.slice(0, 5).map((text, index) => ({ index, embedding: vectorOf(text) })) })
          : null,
      4,
    ],
  ]
  it.each(cases)('that take %s a request receive smaller requests', async (_, limit, at) => {
    const embedder = await embedderOf(`openai:limited-${at}@${base}`)
    const texts = many(40).map(text => `${text} ${at}`)
    handler = (path, body) => limit(body.input) ?? honest(path, body)
    const vectors = await embedInBatches(embedder, texts, options)
    expect(vectors).toEqual(texts.map(text => normalise(Float32Array.from(vectorOf(text)))))
    expect(waits).toEqual([])
    const before = calls.length
    expect(await embedInBatches(embedder, texts, options)).toEqual(vectors)
    expect(calls.length).toBe(before)
  })

  it('are reported when they refuse a single text, and the other vectors are kept', async () => {
    const embedder = await embedderOf(`openai:picky@${base}`)
    const texts = ['fine one', 'fine two', 'forbidden']
    handler = (path, body) =>
      body.input.includes('forbidden') ? refused(400, 'no such input') : honest(path, body)
    await expect(embedInBatches(embedder, texts, options)).rejects.toMatchObject({ reason: 'bad-response' })
    handler = honest
    calls = []
    await embedInBatches(embedder, texts, options)
    expect(calls.map(call => JSON.parse(call.body).input)).toEqual([['forbidden']])
  })

  it.each(['openai', 'ollama'])('of %s at other addresses do not share vectors', async kind => {
    const [one, other] = [
      await embedderOf(`${kind}:mini@${base}`),
      await embedderOf(`${kind}:mini@${base}/b`),
    ]
    const vectors = await embedInBatches(one, ['shared'], options)
    handler = (path, body) => {
      const mirrored = (text: string) => vectorOf(text).reverse()
      return path.endsWith('/api/embed')
        ? json({ embeddings: body.input.map(mirrored) })
        : json({ data: body.input.map((text, index) => ({ index, embedding: mirrored(text) })) })
    }
    expect(await embedInBatches(other, ['shared'], options)).not.toEqual(vectors)
    expect(await embedInBatches(one, ['shared'], options)).toEqual(vectors)
  })
})

describe('retrieval over a service', () => {
  const question: Question = {
    taskId: 't',
    benchmark: 'aoe',
    domain: 'x',
    language: 'en',
    query: 'aaa',
    documentNames: ['d'],
    form: { kind: 'table' },
  }
  const documents = [
    { hint: 'd', sha256: null, text: `${'aaa '.repeat(300)}\n\n${'ooo '.repeat(300)}`, problem: null },
  ]
  const open = async (vectorStore: string, more: Record<string, string> = {}, retriever = 'aoe') => {
    const retrievals = await createRetrievals([retriever], {
      embedder: `openai:letters@${base}/v1`,
      vectorStore,
      chromaUrl: null,
      cacheFolder: join(folder, vectorStore),
      clock,
      environment: more,
    })
    return { ...retrievals.get(retriever), close: retrievals.close }
  }

  it.each(['exact', 'chroma'])('fails only while the service is down, with %s', async store => {
    const retrieval = await open(store)
    handler = () => ({ status: 500, body: '' })
    await expect(retrieval.retrieve(question, documents, signal)).rejects.toThrow(ProviderError)
    handler = honest
    const { chunks, embedder } = await retrieval.retrieve(question, documents, signal)
    expect([embedder, chunks[0]?.text.slice(0, 3)]).toEqual(['openai:letters', 'aaa'])
    await retrieval.close()
  })

  it.each(['exact', 'chroma'])('indexes again when the model has other dimensions, with %s', async store => {
    const first = await open(store)
    await first.retrieve(question, documents, signal)
    handler = (_, { input }) =>
      json({ data: input.map((text, index) => ({ index, embedding: vectorOf(text).slice(0, 2) })) })
    calls = []
    await first.retrieve(question, documents, signal)
    expect(calls.length).toBeGreaterThan(1)
    await first.close()
    const second = await open(store)
    await second.retrieve(question, documents, signal)
    await second.close()
  })

  it.each(['exact', 'chroma'])('sends only the query in a later run, with %s', async store => {
    const long = Array.from({ length: 4000 }, (_, line) => `aaa ${line} ooo ${line * 7} eee`).join('\n')
    const both = [...documents, { hint: 'long', sha256: null, text: long, problem: null }]
    const retrieveOnce = async () => {
      const retrieval = await open(store)
      const { chunks } = await retrieval.retrieve(question, both, signal)
      await retrieval.close()
      return chunks
    }
    const first = await retrieveOnce()
    calls = []
    expect(await retrieveOnce()).toEqual(first)
    expect(calls.map(call => JSON.parse(call.body).input)).toEqual([['aaa']])
  })

  it.each([[], [0, 0]])(
    'refuses places of a reranking endpoint that are missing or repeated: %j',
    async (...indexes) => {
      handler = (path, body) =>
        path === '/v1/rerank'
          ? json({ results: indexes.map(index => ({ index, relevance_score: 1 })) })
          : honest(path, body)
      const retrieval = await open('exact', { TABLEHUNT_RERANK_URL: `${base}/v1/rerank` }, 'rerank')
      await expect(retrieval.retrieve(question, documents, signal)).rejects.toThrow('two for one text')
      await retrieval.close()
    },
  )

  it('returns chunks in the order of a reranking endpoint', async () => {
    const retrieval = await open('exact', { TABLEHUNT_RERANK_URL: `${base}/v1/rerank` }, 'rerank')
    const { chunks } = await retrieval.retrieve(question, documents, signal)
    const lengths = chunks.map(chunk => chunk.text.length)
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b))
    await retrieval.close()
  })
})
