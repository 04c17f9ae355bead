import type { Collection as ChromaCollection } from 'chromadb'
import { DataError } from '../../src/core/errors.ts'
import type { VectorClient } from './chroma-client.ts'
import type { ChromaConnection } from './chroma-connection.ts'
import { byDistance, type Collection, squaredDistance, type VectorStore } from './vector-store.ts'

/** With these parameters and one writer in chunk order, every new index of a document returns the same hits. */
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

/**
 * Creates a vector store with LangChain's Chroma store over a server. Each document has its own collection. Chroma
 * finds the ids of the hits. Their distances are computed again from their vectors, so that hits of several documents
 * can be merged. Vectors stay in memory, so that each is written to or read from the server once.
 */
export function chromaStore(connection: ChromaConnection): VectorStore {
  const known = createVectorMemory()
  const findStored = createCollectionCache()
  return {
    nearest: async (collection, query, k, signal) =>
      await connection.use(async (client, generation) => {
        signal.throwIfAborted()
        const dimensions = query.length
        const vectors = known.vectorsOf(collection.name)
        const stored = await findStored(generation, { client, collection, dimensions, signal, vectors })
        // When every chunk is a hit, there is nothing to ask.
        const indexes =
          collection.texts.length <= k
            ? [...collection.texts.keys()]
            : (await client.nearestIds(stored, query, k)).map(Number)
        await readMissing(stored, indexes, vectors)
        known.dropLeastRecent(collection.name)
        const found = vectors.get(indexes[0]!)?.length
        if (found !== dimensions) throw mismatchError(found, dimensions)
        return indexes
          .map(index => ({ index, vector: vectors.get(index)! }))
          .map(hit => ({ ...hit, distance: squaredDistance(hit.vector, query) }))
          .sort(byDistance)
      }),
    close: async () => await connection.close(),
  }
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
    const known = open.get(name)
    if (known !== undefined && known.generation === generation) {
      try {
        return await known.stored
      } catch (error) {
        if (input.signal.aborted || open.get(name) === known) throw error
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
  const batches = batchesOf(collection.texts.length, dimensions, await client.getMaxBatchSize())
  const stored = await client.getOrCreateCollection({
    name: collection.name,
    embeddingFunction: vectorsOnly,
    configuration: { hnsw: { ...hnsw, sync_threshold: Math.max(2, batches.smallest) } },
  })
  const count = await stored.count()
  if (count === collection.texts.length) {
    const first = await stored.get({ ids: ['0'], include: ['embeddings'] })
    const found = first.embeddings[0]?.length
    if (found !== dimensions) throw mismatchError(found, dimensions)
    return stored
  }
  if (count === 0) {
    await write(stored, batches.count, input)
    return stored
  }
  // An interrupted run left this collection incomplete. The order of writing decides the index, so it is built again.
  await client.deleteCollection({ name: collection.name })
  return await openCollection(input)
}

/** The limit of the vectors in one request. The server also accepts a limited number of records. */
const maxBatchBytes = 4 * 1024 * 1024

/**
 * Divides the chunks of a document into as few batches of about equal size as the limits allow. The server saves its index
 * to disk when it has received as many chunks as the smallest batch has, so after each batch. What it has not saved
 * by then, it indexes again whenever it starts.
 */
function batchesOf(
  chunks: number,
  dimensions: number,
  maxRecords: number,
): { readonly count: number; readonly smallest: number } {
  const byBytes = Math.max(1, Math.floor(maxBatchBytes / (dimensions * Float32Array.BYTES_PER_ELEMENT)))
  const largest = maxRecords > 0 ? Math.min(byBytes, maxRecords) : byBytes
  const count = Math.ceil(chunks / largest)
  return { count, smallest: Math.floor(chunks / count) }
}

/**
 * Writes the vectors with LangChain's Chroma store. The texts stay empty: the server would index their words, which
 * takes half of its time, and no query of ours reads them.
 */
async function write(
  stored: ChromaCollection,
  batches: number,
  { client, collection, signal, vectors: known }: OpenInput,
): Promise<void> {
  const { Chroma } = await import('@langchain/community/vectorstores/chroma')
  const store = new Chroma(vectorsOnly, { collectionName: collection.name, index: client })
  store.collection = stored
  const vectors = await collection.vectors(signal)
  for (const [index, vector] of vectors.entries()) known.set(index, vector)
  const edge = (batch: number): number => Math.floor((batch * vectors.length) / batches)
  for (let batch = 0; batch < batches; batch++) {
    signal.throwIfAborted()
    const [start, end] = [edge(batch), edge(batch + 1)]
    const part = vectors.slice(start, end).map(vector => [...vector])
    const empty = part.map((_, offset) => ({ pageContent: '', metadata: { index: start + offset } }))
    await store.addVectors(part, empty, { ids: part.map((_, offset) => String(start + offset)) })
  }
}

/** Reads the vectors that are not in memory from the server. */
async function readMissing(
  stored: ChromaCollection,
  indexes: readonly number[],
  known: KnownVectors,
): Promise<void> {
  const ids = indexes.filter(index => !known.has(index)).map(String)
  for (let start = 0; start < ids.length; start += readBatch) {
    const batch = await stored.get({ ids: ids.slice(start, start + readBatch), include: ['embeddings'] })
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
