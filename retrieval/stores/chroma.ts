import type { Collection as ChromaCollection } from 'chromadb'
import { DataError } from '../../src/core/errors.ts'
import type { VectorClient } from './chroma-client.ts'
import type { ChromaConnection } from './chroma-connection.ts'
import { exactStore } from './exact.ts'
import {
  type Collection,
  compareDistances,
  computeSquaredDistance,
  type StoredHit,
  type VectorStore,
} from './vector-store.ts'

/**
 * With these parameters and one writer in chunk order, most new indexes of a document return the same hits. Recall depends
 * on the documents (docs/decisions/0022).
 */
const hnsw = { space: 'l2', max_neighbors: 32, ef_construction: 200, ef_search: 500 } as const
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

/** When the vectors in memory are larger than this, those that were used longest ago are dropped. */
const memoryLimitBytes = 200 * 1024 * 1024

/**
 * Creates a vector store with LangChain's Chroma store over a server. Each document has its own collection. Chroma
 * finds the ids of the hits. Their distances are computed again from their vectors, so that hits of several documents
 * can be merged. Vectors stay in memory, so that each is written to or read from the server once. A document of at most
 * k chunks is not written to Chroma: all of its chunks are hits, and Chroma takes more time to open it than they take to
 * be compared.
 */
export function chromaStore(connection: ChromaConnection): VectorStore {
  const memory = createVectorMemory()
  const findStored = createCollectionCache()
  const small = exactStore(memoryLimitBytes)
  return {
    async nearest(collection, query, k, signal) {
      if (collection.texts.length <= k) return await small.nearest(collection, query, k, signal)
      return await connection.use(async (client, generation) => {
        signal.throwIfAborted()
        const dimensions = query.length
        const vectors = memory.vectorsOf(collection.name)
        const stored = await findStored(generation, { client, collection, dimensions, signal, vectors })
        const indexes = await findNearestIndexes(client, stored, { query, k, vectors })
        await readMissing(stored, indexes, vectors)
        memory.dropLeastRecent(collection.name)
        const hitOf = (index: number): StoredHit => {
          const vector = vectors.get(index)!
          return { index, distance: computeSquaredDistance(vector, query), vector }
        }
        return indexes.map(hitOf).sort(compareDistances)
      })
    },
    async close() {
      await small.close()
      await connection.close()
    },
  }
}

interface Search {
  readonly query: Float32Array
  readonly k: number
  /** The vectors in memory. When there are none, those of the hits are added. */
  readonly vectors: KnownVectors
}

async function findNearestIndexes(
  client: VectorClient,
  stored: ChromaCollection,
  { query, k, vectors }: Search,
): Promise<number[]> {
  const hits = await client.nearest(stored, query, k, vectors.size === 0)
  for (const { id, vector } of hits) if (vector !== null) vectors.set(Number(id), Float32Array.from(vector))
  return hits.map(({ id }) => Number(id))
}

/** The vectors of a collection that are in memory, by the number of the chunk. */
type KnownVectors = Map<number, Float32Array>

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

interface OpenInput {
  readonly client: VectorClient
  readonly collection: Collection
  /** The number of dimensions of the query's vector. */
  readonly dimensions: number
  readonly signal: AbortSignal
  /** Receives the vectors that are written. */
  readonly vectors: KnownVectors
}

/** Opens each collection once for each generation of the server, and again after a failure. */
function createCollectionCache() {
  const open = new Map<string, { generation: number; stored: Promise<ChromaCollection> }>()
  return async (generation: number, input: OpenInput): Promise<ChromaCollection> => {
    const { name } = input.collection
    const cached = open.get(name)
    if (cached !== undefined && cached.generation === generation) {
      try {
        return await cached.stored
      } catch (error) {
        if (input.signal.aborted || open.get(name) === cached) throw error
      }
    }
    const stored = openCollection(input)
    const entry = { generation, stored }
    open.set(name, entry)
    stored.catch(() => {
      if (open.get(name) === entry) open.delete(name)
    })
    return await stored
  }
}

async function openCollection(input: OpenInput): Promise<ChromaCollection> {
  const { client, collection, dimensions } = input
  const plan = await planWriting(client, collection.texts.length, dimensions)
  const stored = await client.getOrCreateCollection({
    name: collection.name,
    embeddingFunction: vectorsOnly,
    configuration: { hnsw: { ...hnsw, sync_threshold: plan.chunksPerSave } },
  })
  const [count, first] = await Promise.all([
    stored.count(),
    stored.get({ ids: ['0'], include: ['embeddings'] }),
  ])
  if (count === collection.texts.length) {
    const storedDimensions = first.embeddings[0]?.length
    if (storedDimensions !== dimensions) throw mismatchError(storedDimensions, dimensions)
    return stored
  }
  if (count === 0) {
    await write(stored, plan.batches, input)
    return stored
  }
  // An interrupted run left this collection incomplete. The order of writing decides the index, so it is built again.
  await client.deleteCollection({ name: collection.name })
  return await openCollection(input)
}

/** How the chunks of a document are written. */
interface WritePlan {
  readonly batches: number
  /** The server saves its index to disk after this number of chunks. */
  readonly chunksPerSave: number
}

/** The limit of the vectors in one request. */
const maxBatchBytes = 2 * 1024 * 1024
const maxChunksPerSave = 5_000
/** The server's default. It does not save the index of a smaller document, and builds it again whenever it starts. */
const usualChunksPerSave = 1_000
/** A saved index has room for this number of vectors, and the server loads all of it into memory. */
const chunksOfRoom = 10_000
/** Indexes of small documents are saved while those of all documents take at most this much memory. */
const savedIndexesBytes = 256 * 1024 * 1024

/** Plans few requests of about equal size, and the last save after the last chunk. */
async function planWriting(client: VectorClient, chunks: number, dimensions: number): Promise<WritePlan> {
  const bytesOfVector = dimensions * Float32Array.BYTES_PER_ELEMENT
  const maxRecords = await client.getMaxBatchSize()
  const byBytes = Math.max(1, Math.floor(maxBatchBytes / bytesOfVector))
  const chunksPerBatch = maxRecords > 0 ? Math.min(byBytes, maxRecords) : byBytes
  const saves = Math.ceil(chunks / maxChunksPerSave)
  const batches = saves * Math.ceil(chunks / saves / chunksPerBatch)
  const savedBytes = (await client.countCollections()) * chunksOfRoom * bytesOfVector
  const isSaved = chunks >= usualChunksPerSave || savedBytes < savedIndexesBytes
  return { batches, chunksPerSave: isSaved ? Math.max(2, Math.floor(chunks / saves)) : usualChunksPerSave }
}

/**
 * Writes the vectors with LangChain's Chroma store. The texts stay empty: the server would index their words, which
 * takes half of its time, and no query of ours reads them.
 */
async function write(
  stored: ChromaCollection,
  batches: number,
  { client, collection, signal, vectors: inMemory }: OpenInput,
): Promise<void> {
  const { Chroma } = await import('@langchain/community/vectorstores/chroma')
  const store = new Chroma(vectorsOnly, { collectionName: collection.name, index: client })
  store.collection = stored
  const vectors = await collection.vectors(signal)
  for (const [index, vector] of vectors.entries()) inMemory.set(index, vector)
  const edge = (batch: number): number => Math.floor((batch * vectors.length) / batches)
  for (let batch = 0; batch < batches; batch++) {
    signal.throwIfAborted()
    const [start, end] = [edge(batch), edge(batch + 1)]
    const part = vectors.slice(start, end).map(asNumbers)
    const empty = part.map((_, offset) => ({ pageContent: '', metadata: { index: start + offset } }))
    await store.addVectors(part, empty, { ids: part.map((_, offset) => String(start + offset)) })
  }
}

/** LangChain's store passes vectors on as they are, so they need not be copied to lists of numbers. */
function asNumbers(vector: Float32Array): number[] {
  return vector as ArrayLike<number> as number[]
}

/** Reads the vectors that are not in memory from the server. */
async function readMissing(
  stored: ChromaCollection,
  indexes: readonly number[],
  inMemory: KnownVectors,
): Promise<void> {
  const ids = indexes.filter(index => !inMemory.has(index)).map(String)
  for (let start = 0; start < ids.length; start += readBatch) {
    const batch = await stored.get({ ids: ids.slice(start, start + readBatch), include: ['embeddings'] })
    for (const [at, id] of batch.ids.entries())
      inMemory.set(Number(id), Float32Array.from(batch.embeddings[at] ?? []))
  }
}

function mismatchError(stored: number | undefined, query: number): DataError {
  return new DataError(
    `the index has vectors of ${stored ?? 0} dimensions, but the embedder returns ${query}. Name another folder with --cache.`,
    { code: 'embedder-mismatch' },
  )
}
