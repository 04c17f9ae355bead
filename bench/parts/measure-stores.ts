import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chunkDocument } from '../../retrieval/chunk.ts'
import { loadContextDocuments } from '../../retrieval/context-documents.ts'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { type Embedder, normalise } from '../../retrieval/embeddings/embedder.ts'
import { hashEmbedder } from '../../retrieval/embeddings/hash.ts'
import { vectorStores } from '../../retrieval/registry.ts'
import { recursiveSplitter } from '../../retrieval/splitters.ts'
import type { Collection, VectorStore } from '../../retrieval/stores/vector-store.ts'
import { seededRandom } from '../../src/core/runtime.ts'
import { loadAoe } from '../../tasks/aoe/load.ts'
import { benchDocuments, benchPython } from './environment.ts'
import { callInProcess } from './process.ts'
import { measurePythonChroma, type PythonChromaCost } from './python-chroma.ts'
import { quantile } from './statistics.ts'

export interface StoresInput {
  /** A folder for the documents' texts, shared by the repetitions. */
  readonly textsFolder: string
  /** An empty folder for the indexes. */
  readonly cacheFolder: string
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

export interface StoresCost {
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
  /** Null without a Python. */
  readonly python: PythonChromaCost | null
}

const k = 250
/** The number of hits of the searches that index. Chroma does not index a document of as few chunks as hits. */
const indexedK = 1
const embedder = hashEmbedder()
const { signal } = new AbortController()

/** A task's question and the collections of its documents. */
interface Query {
  readonly vector: Float32Array
  readonly collections: readonly Collection[]
}

/** Indexes and queries the documents of the bench with both stores in a process of its own. */
export async function measureStores(input: StoresInput): Promise<StoresCost> {
  return (await callInProcess(import.meta.url, indexAndQuery, input)).result
}

/** Indexes and queries the documents of the bench with both stores in this process. */
export async function indexAndQuery({
  textsFolder,
  cacheFolder,
  dimensions,
}: StoresInput): Promise<StoresCost> {
  const { folder, tasks } = benchDocuments()
  const collections = await makeCollections(folder, textsFolder)
  const queries = await makeQueries(tasks, collections)
  const indexed = [...collections.values()].filter(({ texts }) => texts.length > indexedK)
  const open = (name: string, part: string): Promise<VectorStore> =>
    vectorStores.get(name).load({ cacheFolder: join(cacheFolder, part), chromaUrl: null })
  const all = { collections: [...collections.values()], indexed, queries }
  const exact = await measureStore(await open('exact', 'index'), all)
  const chroma = await measureStore(await open('chroma', 'index'), all)
  const vectors = (): Promise<never> => Promise.reject(new Error('a document was indexed again'))
  const openAgainMs = await indexingMs(
    await open('chroma', 'index'),
    indexed.map(collection => ({ ...collection, vectors })),
  )
  const writeMs: number[] = []
  for (const size of dimensions) {
    const random = randomEmbedder(size)
    const embedded = await Promise.all(indexed.map(collection => embedBefore(collection, random)))
    writeMs.push(await indexingMs(await open('chroma', `dimensions-${size}`), embedded, random))
  }
  const recalls = queries.map((_, at) => measureRecall(chroma.distances[at]!, exact.distances[at]!))
  return {
    chunks: indexed.reduce((sum, { texts }) => sum + texts.length, 0),
    queries: queries.length,
    chroma: chroma.times,
    exact: exact.times,
    writeMs,
    openAgainMs,
    recallMean: recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length,
    recallWorst: Math.min(...recalls),
    python: await measurePeer([...collections.values()], queries, dimensions),
  }
}

/** Returns a collection of each document that has chunks, by the document's name. */
async function makeCollections(folder: string, textsFolder: string): Promise<Map<string, Collection>> {
  const reader = createDocumentReader({ cacheFolder: textsFolder })
  const names = (await readdir(folder)).map(name => ({ name }))
  const documents = await loadContextDocuments(names, folder, reader)
  await reader.close()
  const splitter = recursiveSplitter()
  const chunked = await Promise.all(documents.map(document => chunkDocument(document, splitter)))
  const collections = chunked.map(({ hint, key, chunks }): [string, Collection] => {
    const texts = chunks.map(chunk => chunk.text)
    return [hint, { name: `b${key.slice(0, 40)}`, texts, vectors: () => embedder.embedChunks(texts, signal) }]
  })
  return new Map(collections.filter(([, { texts }]) => texts.length > 0))
}

async function makeQueries(
  tasksFile: string,
  collections: ReadonlyMap<string, Collection>,
): Promise<Query[]> {
  const { tasks } = await loadAoe(tasksFile)
  const queries = tasks.map(async ({ question, documents }) => ({
    vector: await embedder.embedQuery(question.query, signal),
    collections: documents.flatMap(({ name }) => collections.get(name) ?? []),
  }))
  return (await Promise.all(queries)).filter(query => query.collections.length > 0)
}

interface StoreInput {
  readonly collections: readonly Collection[]
  readonly indexed: readonly Collection[]
  readonly queries: readonly Query[]
}

/** Indexes and queries. Closes the store. Returns for each query the distances of its hits, nearest first. */
async function measureStore(
  store: VectorStore,
  { collections, indexed, queries }: StoreInput,
): Promise<{ times: StoreTimes; distances: number[][] }> {
  const times: number[] = []
  const distances: number[][] = []
  const indexMs = await indexingMs(store, indexed, embedder, async anything => {
    for (const collection of collections) await store.nearest(collection, anything, k, signal)
    for (const { vector, collections: documents } of queries) {
      const startedAt = performance.now()
      const searches = documents.map(collection => store.nearest(collection, vector, k, signal))
      const hits = (await Promise.all(searches)).flat().map(hit => hit.distance)
      distances.push(hits.sort((a, b) => a - b).slice(0, k))
      times.push(performance.now() - startedAt)
    }
  })
  return { times: { indexMs, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95) }, distances }
}

/**
 * Returns the milliseconds until a store has searched each collection once. Its server starts before, with a collection of one
 * chunk. Closes the store after further work.
 */
async function indexingMs(
  store: VectorStore,
  collections: readonly Collection[],
  by: Embedder = embedder,
  further: (query: Float32Array) => Promise<void> = async () => {},
): Promise<number> {
  try {
    const query = await by.embedQuery('warm', signal)
    const warm = { name: 'bwarm', texts: ['warm'], vectors: () => by.embedChunks(['warm'], signal) }
    await store.nearest(warm, query, 1, signal)
    const startedAt = performance.now()
    for (const collection of collections) await store.nearest(collection, query, indexedK, signal)
    const ms = performance.now() - startedAt
    await further(query)
    return ms
  } finally {
    await store.close()
  }
}

/** Returns a collection whose vectors are ready. */
async function embedBefore(collection: Collection, by: Embedder): Promise<Collection> {
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

function measureRecall(distances: readonly number[], exactDistances: readonly number[]): number {
  const furthest = exactDistances.at(-1)
  if (furthest === undefined) return 1
  return distances.filter(distance => distance <= furthest + 1e-9).length / exactDistances.length
}

/** Gives the same vectors to Python's Chroma. */
async function measurePeer(
  collections: readonly Collection[],
  queries: readonly Query[],
  written: readonly number[],
): Promise<PythonChromaCost | null> {
  const python = benchPython()
  if (python === null) return null
  const chunks: Float32Array[] = []
  const ranges = new Map<Collection, readonly [number, number]>()
  for (const collection of collections) {
    const start = chunks.length
    chunks.push(...(await collection.vectors(signal)))
    ranges.set(collection, [start, chunks.length])
  }
  const tasks = queries.map((query, at) => ({
    query: at,
    rows: query.collections.map(collection => ranges.get(collection)!),
  }))
  const layout = { dimensions: chunks[0]!.length, k, written, tasks }
  return await measurePythonChroma(python, layout, { chunks, queries: queries.map(({ vector }) => vector) })
}
