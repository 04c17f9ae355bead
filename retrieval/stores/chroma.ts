import type { Chroma } from '@langchain/community/vectorstores/chroma'
import type { ChromaClient } from 'chromadb'
import { DataError } from '../../src/core/errors.ts'
import { wellFormed } from '../../src/core/well-formed.ts'
import type { ChromaConnection } from './chroma-connection.ts'
import {
  byDistance,
  type Collection,
  type StoredHit,
  squaredDistance,
  type VectorStore,
} from './vector-store.ts'

/** One writer, in chunk order and these parameters: a fresh index of a document gives the same hits. */
const hnsw = { space: 'l2', max_neighbors: 32, ef_construction: 200, ef_search: 500 } as const
const writeBatch = 500
const readBatch = 250

/** LangChain and the Chroma client both require an embedder. This store receives vectors only, so neither is called. */
const vectorsOnly = {
  embedDocuments: async () => rejectTexts(),
  embedQuery: async () => rejectTexts(),
  generate: async () => rejectTexts(),
}

function rejectTexts(): never {
  throw new Error('this store takes vectors, not texts')
}

type Store = InstanceType<typeof Chroma>

/**
 * LangChain's Chroma store over a real server, a collection a document. The hits are Chroma's; their distances are
 * worked out again from the stored vectors, so that hits of several documents can be merged.
 */
export function chromaStore(connection: ChromaConnection): VectorStore {
  const stores = new Map<string, { generation: number; store: Promise<Store> }>()

  async function storeOf(
    client: ChromaClient,
    generation: number,
    collection: Collection,
    dimensions: number,
    signal: AbortSignal,
  ): Promise<Store> {
    const known = stores.get(collection.name)
    if (known !== undefined && known.generation === generation) {
      try {
        return await known.store
      } catch (error) {
        if (signal.aborted || stores.get(collection.name) === known) throw error
      }
    }
    const store = openStore(client, collection, dimensions, signal)
    const entry = { generation, store }
    stores.set(collection.name, entry)
    store.catch(() => {
      if (stores.get(collection.name) === entry) stores.delete(collection.name)
    })
    return await store
  }

  return {
    nearest: async (collection, query, k, signal) =>
      await connection.use(async (client, generation) => {
        signal.throwIfAborted()
        const store = await storeOf(client, generation, collection, query.length, signal)
        const wanted = Math.min(k, collection.texts.length)
        const found = await store.similaritySearchVectorWithScore([...query], wanted)
        return await withExactDistances(
          store,
          query,
          found.map(([document]) => document.id ?? ''),
        )
      }),
    close: async () => await connection.close(),
  }
}

async function openStore(
  client: ChromaClient,
  collection: Collection,
  dimensions: number,
  signal: AbortSignal,
): Promise<Store> {
  const { Chroma } = await import('@langchain/community/vectorstores/chroma')
  const stored = await client.getOrCreateCollection({
    name: collection.name,
    embeddingFunction: vectorsOnly,
    configuration: { hnsw },
  })
  const store = new Chroma(vectorsOnly, { collectionName: collection.name, index: client })
  store.collection = stored
  const count = await stored.count()
  if (count === collection.texts.length) {
    const first = await stored.get({ ids: ['0'], include: ['embeddings'] })
    const found = first.embeddings[0]?.length
    if (found !== dimensions) throw new DataError(dimensionProblem(found, dimensions))
    return store
  }
  if (count === 0) {
    await write(store, collection, signal)
    return store
  }
  // Left half written by a run that was stopped: built anew, for the order of writing decides the index.
  await client.deleteCollection({ name: collection.name })
  return await openStore(client, collection, dimensions, signal)
}

async function write(store: Store, collection: Collection, signal: AbortSignal): Promise<void> {
  const vectors = await collection.vectors(signal)
  for (let start = 0; start < vectors.length; start += writeBatch) {
    signal.throwIfAborted()
    const batch = vectors.slice(start, start + writeBatch)
    const texts = collection.texts.slice(start, start + writeBatch)
    await store.addVectors(
      batch.map(vector => [...vector]),
      texts.map((text, offset) => ({ pageContent: wellFormed(text), metadata: { index: start + offset } })),
      { ids: batch.map((_, offset) => String(start + offset)) },
    )
  }
}

async function withExactDistances(
  store: Store,
  query: Float32Array,
  ids: readonly string[],
): Promise<StoredHit[]> {
  const hits: StoredHit[] = []
  for (let start = 0; start < ids.length; start += readBatch) {
    const batch = await store.collection?.get({
      ids: ids.slice(start, start + readBatch),
      include: ['embeddings'],
    })
    batch?.ids.forEach((id, at) => {
      const vector = Float32Array.from(batch.embeddings[at] ?? [])
      hits.push({ index: Number(id), distance: squaredDistance(vector, query), vector })
    })
  }
  return hits.sort(byDistance)
}

function dimensionProblem(stored: number | undefined, query: number): string {
  return `the index holds vectors of ${stored ?? 0} dimensions, the embedder gives ${query}: name another --cache folder`
}
