import PQueue from 'p-queue'
import type { Chunk, ContextDocument } from '../src/core/document.ts'
import { type Clock, systemClock } from '../src/core/runtime.ts'
import type { Question } from '../src/core/task.ts'
import { sha256 } from '../src/system/hash.ts'
import { type ChunkedDocument, createDocumentChunker, type DocumentChunker } from './chunk.ts'
import type { Embedder } from './embeddings/embedder.ts'
import { embedInBatches } from './embeddings/vector-cache.ts'
import { loadEmbedder, retrievers, vectorStores } from './registry.ts'
import { findRelevanceEndpoint } from './relevance-endpoint.ts'
import { interleaveRankings } from './retrievers/fusion.ts'
import type { DenseHit, RelevanceModel, Retriever } from './retrievers/retriever.ts'
import type { Collection, VectorStore } from './stores/vector-store.ts'

/**
 * Returns the `k` nearest chunks of all given documents, nearest first. Chunks at equal distances keep the order of
 * documents and text.
 */
type DenseSearch = (documents: readonly ChunkedDocument[], k: number) => Promise<DenseHit[]>

/** Documents of a search that are opened at the same time: while one is written to the store, the next is embedded. */
const openedAtOnce = 2

interface DenseSearchOptions {
  readonly cacheFolder: string
  readonly progress?: (line: string) => void
}

/**
 * Creates dense search over a vector store. The result takes a query and returns its search. The search embeds the
 * query once, queries the collection of each document and merges the hits by exact distance.
 */
export function createDenseSearch(
  store: VectorStore,
  embedder: Embedder,
  options: DenseSearchOptions,
): (query: string, signal: AbortSignal) => DenseSearch {
  /** Keys of documents whose chunks are in the store. */
  const indexed = new Set<string>()
  return (query, signal) => {
    let vector: Promise<Float32Array> | null = null
    const searchDocument = async (
      document: ChunkedDocument,
      k: number,
      embedding: PQueue,
    ): Promise<DenseHit[]> => {
      vector ??= embedder.embedQuery(query, signal)
      const queryVector = await vector
      const dimensions = queryVector.length
      const collection = makeCollection(document, { ...options, embedder, dimensions, embedding })
      const hits = await store.nearest(collection, queryVector, k, signal)
      indexed.add(document.key)
      return hits.map(hit => ({ ...hit, chunk: document.chunks[hit.index]! }))
    }
    return async (documents, k) => {
      const opening = new PQueue({ concurrency: openedAtOnce })
      // One document is embedded at a time, which limits the requests to the embedder.
      const embedding = new PQueue({ concurrency: 1 })
      const search = (document: ChunkedDocument) => searchDocument(document, k, embedding)
      try {
        const hits = await Promise.all(
          documents.map(document =>
            indexed.has(document.key) ? search(document) : opening.add(() => search(document)),
          ),
        )
        // The sort is stable: hits at equal distances keep the order of documents and text.
        return hits
          .flat()
          .sort((a, b) => a.distance - b.distance)
          .slice(0, k)
      } finally {
        opening.clear()
      }
    }
  }
}

/** Names the chunks of a document for an embedder, and embeds them in the queue `embedding` when the store asks for vectors. */
function makeCollection(
  document: ChunkedDocument,
  {
    embedder,
    dimensions,
    embedding,
    cacheFolder,
    progress,
  }: DenseSearchOptions & {
    readonly embedder: Embedder
    readonly dimensions: number
    readonly embedding: PQueue
  },
): Collection {
  const texts = document.chunks.map(chunk => chunk.text)
  const identity = `${embedder.identity ?? embedder.name}\n${dimensions}`
  const report = (count: number, total: number): void => {
    if (embedder.worthKeeping) progress?.(`embedding ${document.hint}: ${count} of ${total} chunks`)
  }
  return {
    name: `d${sha256(`${document.key}\n${identity}`).slice(0, 56)}`,
    texts,
    vectors: signal =>
      embedding.add(() =>
        embedInBatches(embedder, texts, { cacheFolder, dimensions, signal, progress: report }),
      ),
  }
}

/** The chunks for a question, best first, within the limits of the retriever's preset. */
export interface RetrievedChunks {
  readonly chunks: readonly Chunk[]
  readonly retriever: string
  /** 'none' when the retriever needs no vectors. */
  readonly embedder: string
  /** The number of chunks that were requested for each query. */
  readonly k: number
}

/** Options of one retrieval. The defaults are those of the retriever's preset. */
export interface RetrieveOptions {
  /** Queries whose rankings are interleaved, for example one for each column. The default is the task's query. */
  readonly queries?: readonly string[]
  /** Number of chunks to return instead of the preset's limits, to fill a context of a given size. */
  readonly depth?: number | null
  /** The relevance model for retrievers that need one. An endpoint in TABLEHUNT_RERANK_URL takes precedence. */
  readonly relevance?: RelevanceModel
}

/** Settings of `createRetrievals`. */
export interface RetrievalOptions {
  /** `hash`, or KIND:NAME@URL with a kind of `embedders`. */
  readonly embedder: string
  /** The name of an entry of `vectorStores`. */
  readonly vectorStore: string
  /** The URL of the user's own Chroma server; null to start one. */
  readonly chromaUrl: string | null
  /** The folder for indexes and vectors, shared by all runs. */
  readonly cacheFolder: string
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  /** Receives one line after each batch of texts that is embedded. */
  readonly progress?: (line: string) => void
}

/** One retriever over one embedder and one store, for all attempts of a run. */
export interface Retrieval {
  /**
   * Returns the chunks for a question.
   *
   * @throws ProviderError when an embedder or a server fails
   * @throws DataError `embedder-mismatch` when the index and the embedder have different dimensions
   */
  retrieve(
    question: Question,
    documents: readonly ContextDocument[],
    signal: AbortSignal,
    options?: RetrieveOptions,
  ): Promise<RetrievedChunks>
  /** Returns all chunks of the documents, as this retriever's splitter cuts them, in the order of documents and text. */
  chunks(documents: readonly ContextDocument[]): Promise<readonly Chunk[]>
}

/** Several retrievers over one store. Each document is indexed once for each splitter. */
export interface Retrievals {
  /** Returns a retriever by one of the names that `createRetrievals` received. */
  get(retriever: string): Retrieval
  close(): Promise<void>
}

/**
 * Creates the retrieval of a run. Servers and models start when they are first needed.
 *
 * @param names retrievers, as named in `retrievers`
 * @throws ConfigError `unknown-retriever`, `unknown-embedder`, `unknown-vector-store` or another code of `findEmbedder`
 */
export async function createRetrievals(
  names: readonly string[],
  options: RetrievalOptions,
): Promise<Retrievals> {
  const entries = names.map(name => [name, retrievers.get(name)] as const)
  const clock = options.clock ?? systemClock
  const environment = options.environment ?? process.env
  const embedder = await loadEmbedder(options.embedder, environment, clock)
  const store = await vectorStores.get(options.vectorStore).load(options)
  const relevance = findRelevanceEndpoint(environment, clock)
  const dense = createDenseSearch(store, embedder, options)
  const chunkers = new Map<string, DocumentChunker>()
  const open = new Map<string, Retrieval>()
  for (const [name, { load }] of entries) {
    const retriever = await load()
    const { splitter } = retriever
    const chunk = chunkers.get(splitter.name) ?? createDocumentChunker(splitter)
    chunkers.set(splitter.name, chunk)
    open.set(name, createRetrieval({ name, retriever, chunk, dense, embedder, relevance }))
  }
  return {
    get(name) {
      const retrieval = open.get(name)
      if (retrieval === undefined) throw new Error(`the retriever ${name} was not opened`)
      return retrieval
    },
    close: () => store.close(),
  }
}

interface RetrievalParts {
  readonly name: string
  readonly retriever: Retriever
  readonly chunk: DocumentChunker
  readonly dense: (query: string, signal: AbortSignal) => DenseSearch
  readonly embedder: Embedder
  readonly relevance: RelevanceModel | null
}

function createRetrieval({ name, retriever, chunk, dense, embedder, relevance }: RetrievalParts): Retrieval {
  const chunkAll = (documents: readonly ContextDocument[]) => Promise.all(documents.map(chunk))
  return {
    async retrieve(
      question,
      documents,
      signal,
      { queries = [question.query], depth = null, relevance: defaultRelevance } = {},
    ) {
      const withChunks = (await chunkAll(documents)).filter(document => document.chunks.length > 0)
      const k = depth ?? retriever.k
      const rankings: Chunk[][] = []
      for (const query of withChunks.length === 0 ? [] : queries) {
        rankings.push(
          await retriever.rank({
            query,
            documents: withChunks,
            depth,
            dense: dense(query, signal),
            relevance: relevance ?? defaultRelevance ?? null,
            signal,
          }),
        )
      }
      const embedderName = retriever.usesVectors ? embedder.name : 'none'
      const limit = depth === null ? retriever.limit : undefined
      const chunks = mergeRankings(rankings, k, limit)
      return { chunks, retriever: name, embedder: embedderName, k }
    },
    async chunks(documents) {
      return (await chunkAll(documents)).flatMap(document => document.chunks)
    },
  }
}

/** Interleaves the rankings of several queries. A single ranking is returned unchanged: the retriever limited it. */
function mergeRankings(
  rankings: readonly (readonly Chunk[])[],
  k: number,
  limit: Retriever['limit'],
): readonly Chunk[] {
  if (rankings.length <= 1) return rankings[0] ?? []
  if (limit === undefined) return interleaveRankings(rankings, k)
  return limit(interleaveRankings(rankings, Number.POSITIVE_INFINITY)).slice(0, k)
}
