import type { Chunk, ContextDocument } from '../src/core/document.ts'
import { type Clock, systemClock } from '../src/core/runtime.ts'
import type { Question } from '../src/core/task.ts'
import { type DenseSearch, denseSearches } from './dense-search.ts'
import type { Embedder } from './embeddings/embedder.ts'
import { findEmbedder, retrievers, vectorStores } from './registry.ts'
import { relevanceEndpoint } from './relevance-endpoint.ts'
import { type DocumentChunker, rememberChunks } from './remember-chunks.ts'
import { interleaveRankings } from './retrievers/fusion.ts'
import type { RelevanceModel, Retriever } from './retrievers/retriever.ts'
import type { VectorStore } from './stores/vector-store.ts'

/** Chunks for a question, best first, already limited as the retriever's preset says. */
export interface RetrievedChunks {
  readonly chunks: readonly Chunk[]
  readonly retriever: string
  /** 'none' where the retriever needs no vectors. */
  readonly embedder: string
  readonly k: number
}

/** How a question is asked; what is left out is as the preset says. */
export interface RetrieveOptions {
  /** One a column, say: their rankings take turns. Absent: the task's query as it is. */
  readonly queries?: readonly string[]
  /** Chunks wanted where a context of a given size takes the place of the preset's limits; absent or null: the preset's. */
  readonly depth?: number | null
  /** Asked what is relevant, for retrievers that ask, where TABLEHUNT_RERANK_URL names no endpoint. */
  readonly relevance?: RelevanceModel
}

export interface RetrievalOptions {
  /** `hash`, or KIND:NAME@URL with a key of `embedders`. */
  readonly embedder: string
  /** A key of `vectorStores`. */
  readonly vectorStore: string
  readonly chromaUrl: string | null
  /** Indexes and vectors are kept here, for all runs. */
  readonly cacheFolder: string
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  /** Told how far a long embedding is, a line at a time. */
  readonly progress?: (line: string) => void
  /** Called once with the cause when the store `auto` searches exactly because Chroma's server did not start. */
  readonly fellBack?: (cause: string) => void
}

/** Which store searched the chunks of a run. */
export interface StoreUse {
  /** An entry of `vectorStores`; `auto` is reported as `chroma` or `exact`. */
  readonly used: string
  /** Why `auto` does not use Chroma; null when it does, or when the store was chosen by hand. */
  readonly fallbackCause: string | null
}

/** One retriever over one embedder and one store, for all attempts of a run. */
export interface Retrieval {
  /**
   * The chunks for a question. Rejects with ProviderError where an embedder or a server fails, DataError where an
   * index does not fit the embedder.
   */
  retrieve(
    question: Question,
    documents: readonly ContextDocument[],
    signal: AbortSignal,
    options?: RetrieveOptions,
  ): Promise<RetrievedChunks>
  /** Every chunk of the documents as this retriever's splitter cuts them, in the order of documents and text. */
  chunks(documents: readonly ContextDocument[]): Promise<readonly Chunk[]>
}

/** Several retrievers over one store: a document is indexed once for each splitter, whichever of them asks. */
export interface Retrievals {
  /** By a name that it was opened with. */
  get(retriever: string): Retrieval
  /** Null until the first vector search. */
  storeUse(): StoreUse | null
  close(): Promise<void>
}

/** Sets up a run's retrieval; servers and models start when first needed. Rejects with ConfigError for unknown names. */
export async function createRetrievals(
  names: readonly string[],
  options: RetrievalOptions,
): Promise<Retrievals> {
  const entries = names.map(name => [name, retrievers.get(name)] as const)
  const clock = options.clock ?? systemClock
  const environment = options.environment ?? process.env
  const { entry, ...named } = findEmbedder(options.embedder)
  const embedder = await entry.load({ ...named, environment, clock })
  const { store, use } = await openStore(options)
  const relevance = relevanceEndpoint(environment, clock)
  const dense = denseSearches(store, embedder, options)
  const chunkers = new Map<string, DocumentChunker>()
  const open = new Map<string, Retrieval>()
  for (const [name, { load }] of entries) {
    const retriever = await load()
    const { splitter } = retriever
    const chunked = chunkers.get(splitter.name) ?? rememberChunks(splitter)
    chunkers.set(splitter.name, chunked)
    open.set(name, retrievalOf({ name, retriever, chunked, dense, embedder, relevance }))
  }
  return {
    get(name) {
      const retrieval = open.get(name)
      if (retrieval === undefined) throw new Error(`the retriever ${name} was not opened`)
      return retrieval
    },
    storeUse: use,
    close: () => store.close(),
  }
}

/** The vector store that the options name, and what it turned out to be. */
async function openStore(
  options: RetrievalOptions,
): Promise<{ readonly store: VectorStore; readonly use: () => StoreUse | null }> {
  const entry = vectorStores.get(options.vectorStore)
  let use: StoreUse | null = null
  const store = await entry.load({
    ...options,
    fellBack: cause => {
      use = { used: 'exact', fallbackCause: cause }
      options.fellBack?.(cause)
    },
  })
  const chosen: StoreUse = {
    used: options.vectorStore === 'auto' ? 'chroma' : options.vectorStore,
    fallbackCause: null,
  }
  const watched: VectorStore = {
    async nearest(collection, query, k, signal) {
      const hits = await store.nearest(collection, query, k, signal)
      use ??= chosen
      return hits
    },
    close: () => store.close(),
  }
  return { store: watched, use: () => use }
}

interface RetrievalParts {
  readonly name: string
  readonly retriever: Retriever
  readonly chunked: DocumentChunker
  readonly dense: (query: string, signal: AbortSignal) => DenseSearch
  readonly embedder: Embedder
  readonly relevance: RelevanceModel | null
}

function retrievalOf({ name, retriever, chunked, dense, embedder, relevance }: RetrievalParts): Retrieval {
  const chunkAll = (documents: readonly ContextDocument[]) => Promise.all(documents.map(chunked))
  return {
    async retrieve(
      question,
      documents,
      signal,
      { queries = [question.query], depth = null, relevance: own } = {},
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
            relevance: relevance ?? own ?? null,
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

/** Rankings of several queries take turns; one alone stays as it is, for the retriever has kept to its limits. */
function mergeRankings(
  rankings: readonly (readonly Chunk[])[],
  k: number,
  limit: Retriever['limit'],
): readonly Chunk[] {
  if (rankings.length <= 1) return rankings[0] ?? []
  if (limit === undefined) return interleaveRankings(rankings, k)
  return limit(interleaveRankings(rankings, Number.POSITIVE_INFINITY)).slice(0, k)
}
