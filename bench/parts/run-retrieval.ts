import { readdir } from 'node:fs/promises'
import { type ChunkedDocument, chunkDocument } from '../../retrieval/chunk.ts'
import { loadContextDocuments } from '../../retrieval/context-documents.ts'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { hashEmbedder } from '../../retrieval/embeddings/hash.ts'
import { vectorStores } from '../../retrieval/registry.ts'
import { recursiveSplitter } from '../../retrieval/splitters/recursive.ts'
import type { Collection, VectorStore } from '../../retrieval/stores/vector-store.ts'
import type { Task } from '../../src/core/task.ts'
import { loadAoe } from '../../tasks/load-aoe.ts'
import type { BenchDocuments } from './documents.ts'
import { moduleInput } from './process.ts'
import { writeVectors } from './python-chroma.ts'
import { quantile } from './statistics.ts'

export interface RetrievalInput extends BenchDocuments {
  /** A folder for the documents' texts, shared by the repetitions. */
  readonly textsFolder: string
  /** An empty folder for the index. */
  readonly cacheFolder: string
  /** A folder to which the vectors of chunks and queries are written for a peer; null without a peer. */
  readonly vectorsFolder: string | null
}

export interface StoreTimes {
  /** The time to embed all chunks and, for Chroma, to write them, without the start of its server. */
  readonly indexMs: number
  /** One query over the documents of its task. */
  readonly p50Ms: number
  readonly p95Ms: number
}

export interface RetrievalCost {
  readonly chunks: number
  readonly queries: number
  readonly chroma: StoreTimes
  readonly exact: StoreTimes
  /** The share of the exact hits that Chroma returned. Hits with the same distance count as equal. */
  readonly recallMean: number
  readonly recallWorst: number
}

const k = 250
const embedder = hashEmbedder()
const signal = new AbortController().signal

interface Measured {
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
const collections = new Map([...documents].map(([hint, document]) => [hint, collectionOf(document)]))
const queries = (await Promise.all(tasks.map(task => queryOf(task)))).filter(
  query => query.collections.length > 0,
)
const settings = { cacheFolder: input.cacheFolder, chromaUrl: null }
const exact = await measure(await vectorStores.get('exact').load(settings))
const chroma = await measure(await vectorStores.get('chroma').load(settings))
const recalls = queries.map((_, at) => recallOf(chroma.distances[at] ?? [], exact.distances[at] ?? []))
const cost: RetrievalCost = {
  chunks: [...documents.values()].reduce((sum, document) => sum + document.chunks.length, 0),
  queries: queries.length,
  chroma: chroma.times,
  exact: exact.times,
  recallMean: recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length,
  recallWorst: Math.min(...recalls),
}
if (input.vectorsFolder !== null) await writeVectorsTo(input.vectorsFolder)
process.stdout.write(`${JSON.stringify(cost)}\n`)

async function chunkAll({ folder, textsFolder }: RetrievalInput): Promise<Map<string, ChunkedDocument>> {
  const reader = createDocumentReader({ cacheFolder: textsFolder })
  const names = await readdir(folder)
  const read = await loadContextDocuments(
    names.map(name => ({ name })),
    folder,
    reader,
  )
  await reader.close()
  const splitter = recursiveSplitter()
  const chunked = await Promise.all(read.map(document => chunkDocument(document, splitter)))
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
    tasks: queries.map((query, at) => ({ query: at, rows: query.collections.map(one => rows.get(one)!) })),
  }
  await writeVectors(folder, layout, { chunks, queries: queries.map(query => query.vector) })
}

function collectionOf(document: ChunkedDocument): Collection {
  const texts = document.chunks.map(chunk => chunk.text)
  const vectors = (): Promise<Float32Array[]> => embedder.embedChunks(texts, signal)
  return { name: `b${document.key.slice(0, 40)}`, texts, vectors }
}

async function queryOf({ question, documents }: Task): Promise<Query> {
  const own = documents.flatMap(({ name }) => collections.get(name) ?? [])
  return { vector: await embedder.embedQuery(question.query, signal), collections: own }
}

async function measure(store: VectorStore): Promise<Measured> {
  try {
    // Start the server with a collection of one chunk, so that its start does not count as indexing.
    const warm: Collection = {
      name: 'bwarm',
      texts: ['warm'],
      vectors: () => embedder.embedChunks(['warm'], signal),
    }
    const anything = await embedder.embedQuery('warm', signal)
    await store.nearest(warm, anything, 1, signal)
    const startedAt = performance.now()
    for (const collection of collections.values()) await store.nearest(collection, anything, 1, signal)
    const indexMs = performance.now() - startedAt
    const times: number[] = []
    const distances: number[][] = []
    for (const { vector, collections: own } of queries) {
      const askedAt = performance.now()
      const hits = await Promise.all(own.map(collection => store.nearest(collection, vector, k, signal)))
      const found = hits
        .flat()
        .map(hit => hit.distance)
        .sort((a, b) => a - b)
      times.push(performance.now() - askedAt)
      distances.push(found.slice(0, k))
    }
    return { times: { indexMs, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95) }, distances }
  } finally {
    await store.close()
  }
}

function recallOf(found: readonly number[], wanted: readonly number[]): number {
  const furthest = wanted.at(-1)
  if (furthest === undefined) return 1
  return found.filter(distance => distance <= furthest + 1e-9).length / wanted.length
}
