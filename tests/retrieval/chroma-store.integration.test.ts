import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChromaClient } from 'chromadb'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { normalise } from '../../retrieval/embeddings/embedder.ts'
import { vectorStores } from '../../retrieval/registry.ts'
import { type ChromaServer, startChromaServer } from '../../retrieval/stores/chroma-server.ts'
import { exactStore } from '../../retrieval/stores/exact.ts'
import type { Collection, StoredHit } from '../../retrieval/stores/vector-store.ts'
import { ProviderError } from '../../src/core/errors.ts'
import { seededRandom } from '../../src/core/runtime.ts'
import { type Replace, startChromaProxy } from './chroma-proxy.ts'
import { serversOn } from './chroma-servers.ts'

const root = mkdtempSync(join(tmpdir(), 'chroma-store-'))
const signal = new AbortController().signal
let server: ChromaServer
let number = 0
const ends: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startChromaServer(join(root, 'server'))
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(async () => {
  await server.stop()
  rmSync(root, { recursive: true, force: true })
})

function randomVectors(count: number, dimensions: number, seed = 1): Float32Array[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () =>
    normalise(Float32Array.from({ length: dimensions }, () => random() - 0.5)),
  )
}

/** Returns a collection that no other test uses. */
function madeCollection(count: number, dimensions = 16): Collection {
  const made = randomVectors(count, dimensions)
  const texts = made.map((_, at) => `text ${at}`)
  return { name: `made${number++}`, texts, vectors: async () => made }
}

const indexesOf = (hits: readonly StoredHit[]): number[] => hits.map(hit => hit.index)

/** The chunks that a comparison with every vector finds. */
async function exactly(collection: Collection, query: Float32Array, k: number): Promise<number[]> {
  return indexesOf(await exactStore().nearest(collection, query, k, signal))
}

/** Opens a store over the server, behind a proxy. */
async function openBehindProxy(replace?: Replace) {
  const proxy = await startChromaProxy(server.port, replace)
  const store = await vectorStores.get('chroma').load({ cacheFolder: root, chromaUrl: proxy.url })
  ends.push(store.close, proxy.close)
  return { ...proxy, store }
}

/** Opens a store that starts its own server. */
async function openOwn(cacheFolder: string) {
  const store = await vectorStores.get('chroma').load({ cacheFolder, chromaUrl: null })
  ends.push(store.close)
  return store
}

const [query] = randomVectors(1, 16, 2)
const preFlight = (checks: object) => (operation: string) =>
  operation === 'pre-flight-checks' ? { status: 200, body: JSON.stringify(checks) } : null

describe('writing to Chroma', () => {
  it('sends vectors as bytes and no texts', async () => {
    const { store, bodiesOf } = await openBehindProxy()
    const collection = madeCollection(40)
    const hits = await store.nearest(collection, query!, 10, signal)
    expect(indexesOf(hits)).toEqual(await exactly(collection, query!, 10))
    const [body, ...others] = bodiesOf('upsert')
    expect(others).toEqual([])
    expect(body).toMatchObject({ documents: Array.from({ length: 40 }, () => '') })
    const [first] = body!.embeddings as string[]
    const bytes = new Uint8Array(Buffer.from(first!, 'base64'))
    expect(new Float32Array(bytes.buffer)).toEqual((await collection.vectors(signal))[0])
  })

  it('sends numbers to a server that does not read bytes', async () => {
    const { store, bodiesOf } = await openBehindProxy(preFlight({ max_batch_size: 1000 }))
    const collection = madeCollection(40)
    const hits = await store.nearest(collection, query!, 10, signal)
    expect(indexesOf(hits)).toEqual(await exactly(collection, query!, 10))
    const [first] = bodiesOf('upsert')[0]!.embeddings as number[][]
    expect(first).toEqual([...(await collection.vectors(signal))[0]!])
  })

  it('divides a document into equal batches that the server accepts', async () => {
    const checks = { max_batch_size: 30, supports_base64_encoding: true }
    const { store, bodiesOf } = await openBehindProxy(preFlight(checks))
    const collection = madeCollection(100)
    const hits = await store.nearest(collection, query!, 10, signal)
    expect(indexesOf(hits)).toEqual(await exactly(collection, query!, 10))
    const batches = bodiesOf('upsert').map(({ ids }) => ids as string[])
    expect(batches.map(ids => ids.length)).toEqual([25, 25, 25, 25])
    expect(batches.flat()).toEqual(collection.texts.map((_, at) => String(at)))
  })

  it('limits the bytes of a batch', async () => {
    const { store, bodiesOf } = await openBehindProxy()
    const collection = madeCollection(1000, 1024)
    await store.nearest(collection, randomVectors(1, 1024, 2)[0]!, 10, signal)
    expect(bodiesOf('upsert').map(({ ids }) => (ids as string[]).length)).toEqual([500, 500])
  })

  it.skipIf(!existsSync('/proc'))(
    'begins again when the server is killed (skipped without /proc)',
    async () => {
      const folder = join(root, 'killed')
      const collection = madeCollection(3000, 256)
      const [wide] = randomVectors(1, 256, 2)
      let asked = 0
      const killed: Collection = {
        ...collection,
        async vectors() {
          asked++
          if (asked === 1)
            setTimeout(() => {
              for (const pid of serversOn(folder)) process.kill(pid, 'SIGKILL')
            }, 5)
          return await collection.vectors(signal)
        },
      }
      const store = await openOwn(folder)
      const hits = await store.nearest(killed, wide!, 2900, signal)
      expect(asked).toBe(2)
      expect(indexesOf(hits)).toEqual(await exactly(collection, wide!, 2900))
    },
  )
})

describe("Chroma's index of an earlier run", () => {
  it('is used without indexing and embedding again', async () => {
    const collection = madeCollection(60)
    const first = await openBehindProxy()
    const found = await first.store.nearest(collection, query!, 10, signal)
    const later = await openBehindProxy()
    const vectors = () => Promise.reject(new Error('embedded again'))
    const again = await later.store.nearest({ ...collection, vectors }, query!, 10, signal)
    expect(again).toEqual(found)
    expect(later.bodiesOf('upsert')).toEqual([])
  })

  it('is on disk as soon as a document is complete, so that the next server only reads it', async () => {
    const folder = join(root, 'saved')
    const store = await openOwn(folder)
    await store.nearest(madeCollection(10), query!, 5, signal)
    expect(savedIndexes(folder)).toBe(1)
  })

  it('is not on disk for another small document when those on disk would take much memory', async () => {
    const folder = join(root, 'many')
    const { port, stop } = await startChromaServer(folder)
    ends.push(stop)
    const chromaUrl = `http://127.0.0.1:${port}`
    const store = await vectorStores.get('chroma').load({ cacheFolder: root, chromaUrl })
    const [wide] = randomVectors(1, 64, 2)
    await store.nearest(madeCollection(10, 64), wide!, 5, signal)
    const client = new ChromaClient({ host: '127.0.0.1', port })
    const embeddingFunction = { generate: async () => [] }
    for (let made = 0; made < 110; made++)
      await client.createCollection({ name: `empty${made}`, embeddingFunction })
    await store.nearest(madeCollection(10, 64), wide!, 5, signal)
    expect(savedIndexes(folder)).toBe(1)
  })
})

/** Counts the indexes that a server has saved below a folder. */
function savedIndexes(folder: string): number {
  return readdirSync(folder, { recursive: true }).filter(name => /index_metadata\.pickle$/.test(String(name)))
    .length
}

describe('a query', () => {
  it('asks Chroma for no more than the ids of chunks that are in memory', async () => {
    const { store, bodiesOf } = await openBehindProxy()
    const collection = madeCollection(60)
    for (const k of [10, 20]) await store.nearest(collection, query!, k, signal)
    expect(bodiesOf('query')).toMatchObject([
      { n_results: 10, include: [] },
      { n_results: 20, include: [] },
    ])
  })

  it('needs no index when every chunk is a hit', async () => {
    const { store, passed } = await openBehindProxy()
    const collection = madeCollection(20)
    const hits = await store.nearest(collection, query!, 20, signal)
    expect(indexesOf(hits)).toEqual(await exactly(collection, query!, 20))
    expect(passed.map(({ operation }) => operation)).toEqual([])
  })

  it.each([10, 20])('of other dimensions than the chunks is refused, for %i hits', async k => {
    const collection = madeCollection(20)
    const { store } = await openBehindProxy()
    await store.nearest(collection, query!, 10, signal)
    const later = await openBehindProxy()
    const [other] = randomVectors(1, 8)
    await expect(later.store.nearest(collection, other!, k, signal)).rejects.toMatchObject({
      code: 'embedder-mismatch',
    })
  })

  it.each([
    [500, '{"error":"InternalError","message":"the disk broke"}', 'unavailable', /does not answer/],
    [400, '{"error":"InvalidArgument","message":"too many results"}', 'bad-response', /too many results/],
    [403, '', 'bad-response', /HTTP 403/],
    [200, '{}', 'bad-response', /no ids/],
  ])('that is answered with HTTP %i %s fails as provider / %s', async (status, body, reason, message) => {
    const failing: Replace = operation => (operation === 'query' ? { status, body } : null)
    const { store } = await openBehindProxy(failing)
    const failure = await store
      .nearest(madeCollection(20), query!, 10, signal)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProviderError)
    expect(failure).toMatchObject({ reason, message: expect.stringMatching(message) })
  })
})
