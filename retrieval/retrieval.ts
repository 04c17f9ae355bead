import type { Chunk, ContextDocument } from '../src/core/document.ts'
import { type Clock, systemClock } from '../src/core/runtime.ts'
import type { Question } from '../src/core/task.ts'
import { createDocumentChunker, type DocumentChunker } from './chunk.ts'
import { createDenseSearch, type DenseSearch } from './dense-search.ts'
import type { Embedder } from './embeddings/embedder.ts'
import { embedderNamed, retrievers, vectorStores } from './registry.ts'
import { relevanceEndpoint } from './relevance-endpoint.ts'
import { interleaveRankings } from './retrievers/fusion.ts'
import type { RelevanceModel, Retriever } from './retrievers/retriever.ts'

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
  const embedder = await embedderNamed(options.embedder, environment, clock)
  const store = await vectorStores.get(options.vectorStore).load(options)
  const relevance = relevanceEndpoint(environment, clock)
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
