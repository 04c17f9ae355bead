import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChunkedDocument, chunkDocument } from '../../retrieval/chunk.ts'
import { loadContextDocuments } from '../../retrieval/context-documents.ts'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { type Embedder, normalise } from '../../retrieval/embeddings/embedder.ts'
import { hashEmbedder } from '../../retrieval/embeddings/hash.ts'
import { vectorStores } from '../../retrieval/registry.ts'
import { recursiveSplitter } from '../../retrieval/splitters.ts'
import type { Collection, VectorStore } from '../../retrieval/stores/vector-store.ts'
import { seededRandom } from '../../src/core/runtime.ts'
import type { Task } from '../../src/core/task.ts'
import { loadAoe } from '../../tasks/aoe/load.ts'
import type { BenchDocuments } from './documents.ts'
import { moduleInput } from './process.ts'
import { writeVectors } from './python-chroma.ts'
import { quantile } from './statistics.ts'

export interface RetrievalInput extends BenchDocuments {
  /** A folder for the documents' texts, shared by the repetitions. */
  readonly textsFolder: string
  /** An empty folder for the indexes. */
  readonly cacheFolder: string
  /** A folder to which the vectors of chunks and queries are written for a peer; null without a peer. */
  readonly vectorsFolder: string | null
  /** The dimensions of vectors whose writing is measured without an embedder. */
  readonly dimensions: readonly number[]
}

export interface StoreTimes {
  /** The time to embed these chunks and, for Chroma, to write them, without the start of its server. */
  readonly indexMs: number
  /** One query over the documents of its task. */
  readonly p50Ms: number
  readonly p95Ms: number
}

export interface RetrievalCost {
  /** Chunks of the documents that are indexed. */
  readonly chunks: number
  readonly queries: number
  readonly chroma: StoreTimes
  readonly exact: StoreTimes
  /** The time to write vectors of each of the given dimensions to Chroma, without the start of its server. */
  readonly writeMs: readonly number[]
  /** The time to search every document once in an index of an earlier server, without the start of the server. */
  readonly openAgainMs: number
  /** The share of the exact hits that Chroma returned. Hits with the same distance count as equal. */
  readonly recallMean: number
  readonly recallWorst: number
}

const k = 250
/** The number of hits of the searches that index. Chroma does not index a document of as few chunks as hits. */
const indexedK = 1
const embedder = hashEmbedder()
const signal = new AbortController().signal

interface StoreMeasurement {
  readonly times: StoreTimes
  /** The distances of each query's hits, nearest first. */
  readonly distances: number[][]
}

/** A task's question and the collections of its documents. */
interface Query {
  readonly vector: Float32Array
  readonly collections: readonly Collection[]
}

/** Indexes and queries with both stores in this process. Prints the cost as a line of JSON. */
const input = moduleInput<RetrievalInput>()
const documents = await chunkAll(input)
const { tasks } = await loadAoe(input.tasks)
const collections = new Map([...documents].map(([hint, document]) => [hint, makeCollection(document)]))
const indexed = [...collections.values()].filter(({ texts }) => texts.length > indexedK)
const queries = (await Promise.all(tasks.map(task => makeQuery(task)))).filter(
  query => query.collections.length > 0,
)
const exact = await measure(await openStore('exact', 'index'))
const chroma = await measure(await openStore('chroma', 'index'))
const openAgainMs = await openTime(indexed.map(indexedBefore), embedder, 'index')
const writeMs: number[] = []
for (const size of input.dimensions) {
  const random = randomEmbedder(size)
  const embedded = indexed.map(collection => embeddedBefore(collection, random))
  writeMs.push(await openTime(await Promise.all(embedded), random, `dimensions-${size}`))
}
const recalls = queries.map((_, at) => measureRecall(chroma.distances[at] ?? [], exact.distances[at] ?? []))
const cost: RetrievalCost = {
  chunks: indexed.reduce((sum, { texts }) => sum + texts.length, 0),
  queries: queries.length,
  chroma: chroma.times,
  exact: exact.times,
  writeMs,
  openAgainMs,
  recallMean: recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length,
  recallWorst: Math.min(...recalls),
}
if (input.vectorsFolder !== null) await writeVectorsTo(input.vectorsFolder)
process.stdout.write(`${JSON.stringify(cost)}\n`)

async function chunkAll({ folder, textsFolder }: RetrievalInput): Promise<Map<string, ChunkedDocument>> {
  const reader = createDocumentReader({ cacheFolder: textsFolder })
  const names = await readdir(folder)
  const contextDocuments = await loadContextDocuments(
    names.map(name => ({ name })),
    folder,
    reader,
  )
  await reader.close()
  const splitter = recursiveSplitter()
  const chunked = await Promise.all(contextDocuments.map(document => chunkDocument(document, splitter)))
  return new Map(
    chunked.filter(document => document.chunks.length > 0).map(document => [document.hint, document]),
  )
}

async function writeVectorsTo(folder: string): Promise<void> {
  const chunks: Float32Array[] = []
  const rows = new Map<Collection, readonly [number, number]>()
  for (const collection of collections.values()) {
    const start = chunks.length
    chunks.push(...(await collection.vectors(signal)))
    rows.set(collection, [start, chunks.length])
  }
  const layout = {
    dimensions: queries[0]?.vector.length ?? 0,
    k,
    written: input.dimensions,
    tasks: queries.map((query, at) => ({
      query: at,
      rows: query.collections.map(collection => rows.get(collection)!),
    })),
  }
  await writeVectors(folder, layout, { chunks, queries: queries.map(query => query.vector) })
}

function makeCollection(document: ChunkedDocument): Collection {
  const texts = document.chunks.map(chunk => chunk.text)
  const vectors = (): Promise<Float32Array[]> => embedder.embedChunks(texts, signal)
  return { name: `b${document.key.slice(0, 40)}`, texts, vectors }
}

/** Returns a collection that the store must have. */
function indexedBefore(collection: Collection): Collection {
  const vectors = () => Promise.reject(new Error('a document was indexed again'))
  return { ...collection, vectors }
}

/** Returns a collection whose vectors are ready. */
async function embeddedBefore(collection: Collection, by: Embedder): Promise<Collection> {
  const vectors = await by.embedChunks(collection.texts, signal)
  return { ...collection, vectors: async () => vectors }
}

/** Creates an embedder that returns random unit vectors. */
function randomEmbedder(dimensions: number): Embedder {
  const random = seededRandom(dimensions)
  const vector = () => normalise(Float32Array.from({ length: dimensions }, () => random() - 0.5))
  return {
    name: `random ${dimensions}`,
    worthKeeping: false,
    batchSize: 512,
    embedChunks: async texts => texts.map(vector),
    embedQuery: async () => vector(),
  }
}

async function makeQuery({ question, documents }: Task): Promise<Query> {
  const taskCollections = documents.flatMap(({ name }) => collections.get(name) ?? [])
  return { vector: await embedder.embedQuery(question.query, signal), collections: taskCollections }
}

function openStore(name: string, folder: string): Promise<VectorStore> {
  return vectorStores.get(name).load({ cacheFolder: join(input.cacheFolder, folder), chromaUrl: null })
}

async function measure(store: VectorStore): Promise<StoreMeasurement> {
  try {
    const anything = await startServer(store, embedder)
    const startedAt = performance.now()
    for (const collection of indexed) await store.nearest(collection, anything, indexedK, signal)
    const indexMs = performance.now() - startedAt
    for (const collection of collections.values()) await store.nearest(collection, anything, k, signal)
    const times: number[] = []
    const distances: number[][] = []
    for (const { vector, collections: taskCollections } of queries) {
      const askedAt = performance.now()
      const hits = await Promise.all(
        taskCollections.map(collection => store.nearest(collection, vector, k, signal)),
      )
      const nearest = hits
        .flat()
        .map(hit => hit.distance)
        .sort((a, b) => a - b)
      times.push(performance.now() - askedAt)
      distances.push(nearest.slice(0, k))
    }
    return { times: { indexMs, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95) }, distances }
  } finally {
    await store.close()
  }
}

/** Returns the milliseconds until Chroma has searched each collection once. */
async function openTime(opened: readonly Collection[], by: Embedder, folder: string): Promise<number> {
  const store = await openStore('chroma', folder)
  try {
    const anything = await startServer(store, by)
    const startedAt = performance.now()
    for (const collection of opened) await store.nearest(collection, anything, indexedK, signal)
    return performance.now() - startedAt
  } finally {
    await store.close()
  }
}

/** Starts the store's server with a collection of one chunk, so that its start does not count. Returns the query. */
async function startServer(store: VectorStore, by: Embedder): Promise<Float32Array> {
  const vectors = () => by.embedChunks(['warm'], signal)
  const query = await by.embedQuery('warm', signal)
  await store.nearest({ name: 'bwarm', texts: ['warm'], vectors }, query, 1, signal)
  return query
}

function measureRecall(distances: readonly number[], exactDistances: readonly number[]): number {
  const furthest = exactDistances.at(-1)
  if (furthest === undefined) return 1
  return distances.filter(distance => distance <= furthest + 1e-9).length / exactDistances.length
}
