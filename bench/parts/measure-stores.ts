import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChunkedDocument, chunkDocument } from '../../retrieval/chunk.ts'
import { loadContextDocuments } from '../../retrieval/context-documents.ts'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { type Embedder, normalise } from '../../retrieval/embeddings/embedder.ts'
import { hashEmbedder } from '../../retrieval/embeddings/hash.ts'
import { vectorStores } from '../../retrieval/registry.ts'
import { createDenseSearch } from '../../retrieval/retrieval.ts'
import { recursiveSplitter } from '../../retrieval/splitters.ts'
import { seededRandom } from '../../src/core/runtime.ts'
import { computeMean } from '../../src/score/statistics/clusters.ts'
import { loadAoe } from '../../tasks/aoe/load.ts'
import { benchDocuments, benchPython, runPython } from './environment.ts'
import { withTemporaryFolder } from './process.ts'
import { quantile } from './statistics.ts'

/** The costs of both stores for the same documents. */
export type StoresCost = Awaited<ReturnType<typeof measureStores>>

/** A task's question with its documents. */
interface Query {
  readonly text: string
  readonly documents: readonly ChunkedDocument[]
}

const k = 250
const hash = hashEmbedder()
const { signal } = new AbortController()

/**
 * Indexes and queries the documents of the bench with both stores in this process.
 *
 * @param textsFolder a folder for the documents' texts, shared by the repetitions
 * @param cacheFolder an empty folder for the indexes
 * @param dimensions the dimensions of vectors whose writing is measured without an embedder
 */
export async function measureStores(input: {
  readonly textsFolder: string
  readonly cacheFolder: string
  readonly dimensions: readonly number[]
}) {
  const { folder, tasks } = benchDocuments()
  const documents = await readChunks(folder, input.textsFolder)
  const queries = await readQueries(tasks, documents)
  // Chroma does not index a document of as few chunks as hits.
  const indexed = documents.filter(({ chunks }) => chunks.length > 1)
  const chunks = indexed.reduce((sum, document) => sum + document.chunks.length, 0)
  const index = async (store: string, part: string, embedder: Embedder, further?: UseSearch) =>
    await indexAll(indexed, { store, embedder, cacheFolder: join(input.cacheFolder, part) }, further)
  const measureQueries = async (store: string) => {
    const times: number[] = []
    const distances: number[][] = []
    const indexMs = await index(store, 'index', hash, async search => {
      for (const document of documents) await search('warm', signal)([document], k)
      for (const query of queries) {
        const startedAt = performance.now()
        const hits = await search(query.text, signal)(query.documents, k)
        times.push(performance.now() - startedAt)
        distances.push(hits.map(hit => hit.distance))
      }
    })
    return { indexMs, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95), distances }
  }
  const [exact, chroma] = [await measureQueries('exact'), await measureQueries('chroma')]
  const embedChunks = async (texts: readonly string[]): Promise<Float32Array[]> => {
    if (texts.length > 1) throw new Error('a document was indexed again')
    return await hash.embedChunks(texts, signal)
  }
  const openAgainMs = await index('chroma', 'index', { ...hash, embedChunks })
  const writeMs: number[] = []
  for (const size of input.dimensions)
    writeMs.push(await index('chroma', `dimensions-${size}`, randomEmbedder(size, chunks + 1)))
  const recalls = queries.map((_, at) => measureRecall(chroma.distances[at]!, exact.distances[at]!))
  const recall = { recallMean: computeMean(recalls), recallWorst: Math.min(...recalls) }
  const python = await measurePeer(documents, queries, input.dimensions)
  return { chunks, queries: queries.length, exact, chroma, openAgainMs, writeMs, ...recall, python }
}

async function readChunks(folder: string, textsFolder: string): Promise<ChunkedDocument[]> {
  const reader = createDocumentReader({ cacheFolder: textsFolder })
  const names = (await readdir(folder)).map(name => ({ name }))
  const documents = await loadContextDocuments(names, folder, reader)
  await reader.close()
  const splitter = recursiveSplitter()
  const chunked = await Promise.all(documents.map(document => chunkDocument(document, splitter)))
  return chunked.filter(({ chunks }) => chunks.length > 0)
}

async function readQueries(file: string, documents: readonly ChunkedDocument[]): Promise<Query[]> {
  const byName = new Map(documents.map(document => [document.hint, document]))
  const { tasks } = await loadAoe(file)
  const queries = tasks.map(task => ({
    text: task.question.query,
    documents: task.documents.flatMap(({ name }) => byName.get(name) ?? []),
  }))
  return queries.filter(query => query.documents.length > 0)
}

type UseSearch = (search: ReturnType<typeof createDenseSearch>) => Promise<void>

/**
 * Returns the milliseconds until a store has searched each document once. Its server starts before, with a document of one
 * chunk. Closes the store after further work.
 */
async function indexAll(
  documents: readonly ChunkedDocument[],
  options: { readonly store: string; readonly embedder: Embedder; readonly cacheFolder: string },
  further: UseSearch = async () => {},
): Promise<number> {
  const { cacheFolder, embedder } = options
  const store = await vectorStores.get(options.store).load({ cacheFolder, chromaUrl: null })
  try {
    const search = createDenseSearch(store, embedder, { cacheFolder })
    const searchIn = search('warm', signal)
    const warm = { id: 'warm', hint: 'warm', index: 0, start: 0, end: 4, text: 'warm' }
    await searchIn([{ hint: 'warm', key: 'warm', chunks: [warm] }], 1)
    const startedAt = performance.now()
    for (const document of documents) await searchIn([document], 1)
    const indexMs = performance.now() - startedAt
    await further(search)
    return indexMs
  } finally {
    await store.close()
  }
}

/** Creates an embedder that returns random unit vectors, which are drawn before. */
function randomEmbedder(dimensions: number, count: number): Embedder {
  const random = seededRandom(dimensions)
  const draw = () => normalise(Float32Array.from({ length: dimensions }, () => random() - 0.5))
  const vectors = Array.from({ length: count }, draw)
  return {
    name: `random ${dimensions}`,
    worthKeeping: false,
    batchSize: 512,
    embedChunks: async texts => vectors.splice(0, texts.length),
    embedQuery: async () => draw(),
  }
}

/** Returns the share of the exact hits that were found. Hits with the same distance count as equal. */
function measureRecall(distances: readonly number[], exactDistances: readonly number[]): number {
  const furthest = exactDistances.at(-1)
  if (furthest === undefined) return 1
  return distances.filter(distance => distance <= furthest + 1e-9).length / exactDistances.length
}

/** Gives the same vectors to Python's Chroma. Returns null without a Python. */
async function measurePeer(
  documents: readonly ChunkedDocument[],
  queries: readonly Query[],
  written: readonly number[],
): Promise<PythonChromaCost | null> {
  const python = benchPython()
  if (python === null) return null
  const rows = new Map<ChunkedDocument, readonly [start: number, end: number]>()
  const texts: string[] = []
  for (const document of documents) {
    rows.set(document, [texts.length, texts.length + document.chunks.length])
    texts.push(...document.chunks.map(chunk => chunk.text))
  }
  const tasks = queries.map(async ({ text, documents: documentsOfTask }) => ({
    query: [...(await hash.embedQuery(text, signal))],
    rows: documentsOfTask.map(document => rows.get(document)!),
  }))
  const chunks = (await hash.embedChunks(texts, signal)).map(vector => [...vector])
  return await measurePythonChroma(python, { k, written, chunks, tasks: await Promise.all(tasks) })
}

/** What Python's Chroma needs for the same vectors. */
export interface PythonChromaCost {
  /** The version of Chroma. */
  readonly chroma: string
  /** Random vectors written per second, for each of the further dimensions. */
  readonly writtenPerSecond: readonly number[]
  readonly p50Ms: number
  readonly p95Ms: number
  readonly recallMean: number
  readonly recallWorst: number
}

/**
 * Indexes and queries vectors with Python's Chroma, in a process of its own.
 *
 * @param input the vectors of chunks; for each task the vector of its query and the ranges of its documents' chunks, from start
 * to before end; further dimensions, with which as many random vectors are written
 */
export async function measurePythonChroma(python: string, input: object): Promise<PythonChromaCost> {
  return await withTemporaryFolder(async folder => {
    const file = join(folder, 'vectors.json')
    await writeFile(file, JSON.stringify(input))
    return await runPython(python, 'python_chroma.py', [file])
  })
}
