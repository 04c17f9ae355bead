import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { normalise } from '../../retrieval/embeddings/embedder.ts'
import { vectorStores } from '../../retrieval/registry.ts'
import {
  compareDistances,
  computeSquaredDistance,
  type StoredHit,
  type VectorStore,
} from '../../retrieval/stores/vector-store.ts'
import { seededRandom } from '../core/runtime.ts'
import type { Check } from './contract.ts'

/**
 * What a vector store is tested with. A store that starts its own server is tested with `{}`.
 *
 * @example
 * import type { VectorStoreSample } from 'tablehunt/testing'
 *
 * const chroma: VectorStoreSample = { chromaUrl: 'http://127.0.0.1:8000' }
 */
export interface VectorStoreSample {
  /** A server's address; absent when the store starts its own server. */
  readonly chromaUrl?: string
}

/** Returns the checks that every vector store must pass. */
export function vectorStoreContract(name: string, sample: VectorStoreSample = {}): readonly Check[] {
  const using = (use: (store: VectorStore) => Promise<void>) => () => withStore(name, sample, use)
  return [
    {
      name: 'finds the same chunks in the same order when a collection is indexed again',
      async run() {
        const rankings: StoredHit[][] = []
        for (let times = 0; times < 2; times++)
          await using(async store => {
            rankings.push(await store.nearest(collection, query!, 50, signal))
          })()
        deepEqual(rankings[0], rankings[1])
      },
    },
    {
      name: 'finds what a comparison with every vector finds, nearest first, with the distances',
      run: using(checkNearest),
    },
    {
      name: 'returns every vector when more are requested than exist',
      run: using(async store => {
        const hits = await store.nearest(
          { ...collection, name: 'few', ...takeFew(vectors) },
          query!,
          50,
          signal,
        )
        deepEqual(hits.map(hit => hit.index).sort(), [0, 1, 2])
      }),
    },
    {
      name: 'requests the vectors of a collection once, and finds the same chunks again',
      run: using(checkIndexedOnce),
    },
  ]
}

const { signal } = new AbortController()
const vectors = randomVectors(1, 400)
const [query] = randomVectors(2, 1)
const collection = {
  name: 'contract',
  texts: vectors.map((_, at) => `text ${at}`),
  vectors: async () => vectors,
}

/** Opens the store in a temporary folder, and closes it after use. */
async function withStore(
  name: string,
  { chromaUrl = null }: { readonly chromaUrl?: string | null },
  use: (store: VectorStore) => Promise<void>,
): Promise<void> {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'tablehunt-store-'))
  const store = await vectorStores.get(name).load({ cacheFolder, chromaUrl })
  try {
    await use(store)
  } finally {
    await store.close()
    await rm(cacheFolder, { recursive: true, force: true })
  }
}

async function checkNearest(store: VectorStore): Promise<void> {
  const hits = await store.nearest(collection, query!, 50, signal)
  const exact = vectors
    .map((vector, index) => ({ index, vector, distance: computeSquaredDistance(vector, query!) }))
    .sort(compareDistances)
  const nearest = new Set(exact.slice(0, 50).map(hit => hit.index))
  const share = hits.filter(hit => nearest.has(hit.index)).length / 50
  ok(share >= 0.98, `${share * 100}% of the 50 nearest were found`)
  deepEqual(hits, [...hits].sort(compareDistances))
  for (const { index, distance, vector } of hits) {
    ok(Math.abs(computeSquaredDistance(vectors[index]!, query!) - distance) < 1e-5, `distance of ${index}`)
    equal(vector.length, query!.length)
  }
}

async function checkIndexedOnce(store: VectorStore): Promise<void> {
  let queries = 0
  const counted = {
    ...collection,
    async vectors() {
      queries++
      return vectors
    },
  }
  const first = await store.nearest(counted, query!, 20, signal)
  deepEqual(await store.nearest(counted, query!, 20, signal), first)
  equal(queries, 1)
}

function takeFew(vectors: readonly Float32Array[]) {
  return { texts: ['a', 'b', 'c'], vectors: async () => vectors.slice(0, 3) }
}

function randomVectors(seed: number, count: number): Float32Array[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () =>
    normalise(Float32Array.from({ length: 32 }, () => random() - 0.5)),
  )
}
