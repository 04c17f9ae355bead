import type { Chroma } from '@langchain/community/vectorstores/chroma'
import type { ChromaClient } from 'chromadb'
import { DataError } from '../../src/core/errors.ts'
import { wellFormed } from '../../src/text/plain-text.ts'
import type { ChromaConnection } from './chroma-connection.ts'
import { byDistance, type Collection, squaredDistance, type VectorStore } from './vector-store.ts'

/** With these parameters and one writer in chunk order, every new index of a document returns the same hits. */
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
  throw new Error('this store accepts vectors, not texts')
}

type Store = InstanceType<typeof Chroma>

/**
 * Creates a vector store with LangChain's Chroma store over a server. Each document has its own collection. Chroma
 * finds the ids of the hits. Their distances are computed again from their vectors, so that hits of several documents
 * can be merged. Vectors stay in memory, so that each is written to or read from the server once.
 */
export function chromaStore(connection: ChromaConnection): VectorStore {
  const known = createVectorMemory()
  const findStore = createStoreCache()
  return {
    nearest: async (collection, query, k, signal) =>
      await connection.use(async (client, generation) => {
        signal.throwIfAborted()
        const dimensions = query.length
        const vectors = known.vectorsOf(collection.name)
        const store = await findStore(generation, { client, collection, dimensions, signal, vectors })
        const limit = Math.min(k, collection.texts.length)
        const indexes = await nearestIndexes(store, query, limit)
        await readMissing(store, indexes, vectors)
        known.dropLeastRecent(collection.name)
        return indexes
          .map(index => ({ index, vector: vectors.get(index)! }))
          .map(hit => ({ ...hit, distance: squaredDistance(hit.vector, query) }))
          .sort(byDistance)
      }),
    close: async () => await connection.close(),
  }
}

/** Asks the server for the nearest chunks. */
async function nearestIndexes(store: Store, query: Float32Array, k: number): Promise<number[]> {
  const found = await store.collection!.query({ queryEmbeddings: [[...query]], nResults: k, include: [] })
  return (found.ids[0] ?? []).map(Number)
}

/** The vectors of a collection that are in memory, by the number of the chunk. */
type KnownVectors = Map<number, Float32Array>

/** When the vectors in memory are larger than this, those of the collections that were used longest ago are dropped. */
const memoryLimitBytes = 200 * 1024 * 1024

function createVectorMemory() {
  // In order of use, least recent first.
  const collections = new Map<string, KnownVectors>()
  const bytesOf = (vectors: KnownVectors): number =>
    vectors.size * (vectors.values().next().value?.byteLength ?? 0)
  return {
    vectorsOf(name: string): KnownVectors {
      const vectors = collections.get(name) ?? new Map()
      collections.delete(name)
      collections.set(name, vectors)
      return vectors
    },
    dropLeastRecent(inUse: string): void {
      let totalBytes = [...collections.values()].reduce((sum, vectors) => sum + bytesOf(vectors), 0)
      for (const [name, vectors] of collections) {
        if (totalBytes <= memoryLimitBytes || name === inUse) return
        collections.delete(name)
        totalBytes -= bytesOf(vectors)
      }
    },
  }
}

interface StoreInput {
  readonly client: ChromaClient
  readonly collection: Collection
  /** The number of dimensions of the query's vector. */
  readonly dimensions: number
  readonly signal: AbortSignal
  /** Receives the vectors that are written. */
  readonly vectors: KnownVectors
}

/** Opens each collection once for each generation of the server, and again after a failure. */
function createStoreCache() {
  const stores = new Map<string, { generation: number; store: Promise<Store> }>()
  return async (generation: number, input: StoreInput): Promise<Store> => {
    const { name } = input.collection
    const known = stores.get(name)
    if (known !== undefined && known.generation === generation) {
      try {
        return await known.store
      } catch (error) {
        if (input.signal.aborted || stores.get(name) === known) throw error
      }
    }
    const store = openStore(input)
    const entry = { generation, store }
    stores.set(name, entry)
    store.catch(() => {
      if (stores.get(name) === entry) stores.delete(name)
    })
    return await store
  }
}

async function openStore(input: StoreInput): Promise<Store> {
  const { client, collection, dimensions } = input
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
    if (found !== dimensions) throw mismatchError(found, dimensions)
    return store
  }
  if (count === 0) {
    await write(store, input)
    return store
  }
  // An interrupted run left this collection incomplete. The order of writing decides the index, so it is built again.
  await client.deleteCollection({ name: collection.name })
  return await openStore(input)
}

async function write(store: Store, { collection, signal, vectors: known }: StoreInput): Promise<void> {
  const vectors = await collection.vectors(signal)
  for (const [index, vector] of vectors.entries()) known.set(index, vector)
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

/** Reads the vectors that are not in memory from the server. */
async function readMissing(store: Store, indexes: readonly number[], known: KnownVectors): Promise<void> {
  const ids = indexes.filter(index => !known.has(index)).map(String)
  for (let start = 0; start < ids.length; start += readBatch) {
    const batch = await store.collection!.get({
      ids: ids.slice(start, start + readBatch),
      include: ['embeddings'],
    })
    for (const [at, id] of batch.ids.entries())
      known.set(Number(id), Float32Array.from(batch.embeddings[at] ?? []))
  }
}

function mismatchError(stored: number | undefined, query: number): DataError {
  return new DataError(
    `the index has vectors of ${stored ?? 0} dimensions, but the embedder returns ${query}. Name another folder with --cache.`,
    { code: 'embedder-mismatch' },
  )
}
