import type { Chunk, ContextDocument } from '../src/core/document.ts'
import { ConfigError } from '../src/core/errors.ts'
import { sha256 } from '../src/core/hash.ts'
import { notAmong } from '../src/core/nearest.ts'
import { type Clock, systemClock } from '../src/core/runtime.ts'
import type { Question } from '../src/core/task.ts'
import { type ChunkedDocument, chunkDocument } from './chunk.ts'
import type { Embedder } from './embeddings/embedder.ts'
import { parseEmbedder } from './embeddings/settings.ts'
import { embedInBatches } from './embeddings/vector-cache.ts'
import {
  type EmbedderEntry,
  embedders,
  type RetrieverEntry,
  retrievers,
  type VectorStoreEntry,
  vectorStores,
} from './registry.ts'
import { relevanceEndpoint } from './relevance-endpoint.ts'
import { interleaveRankings } from './retrievers/fusion.ts'
import type { DenseHit, RelevanceModel, Retriever } from './retrievers/retriever.ts'
import type { Collection, VectorStore } from './stores/vector-store.ts'

/** Chunks for a question, best first, already limited as the retriever's preset says. */
export interface RetrievedChunks {
  readonly chunks: readonly Chunk[]
  readonly retriever: string
  /** 'none' where the retriever needs no vectors. */
  readonly embedder: string
  readonly k: number
}

export interface RetrievalOptions {
  /** A key of `retrievers`. */
  readonly retriever: string
  /** `hash`, or KIND:NAME@URL with a key of `embedders`. */
  readonly embedder: string
  /** A key of `vectorStores`. */
  readonly vectorStore: string
  readonly chromaUrl: string | null
  /** Indexes and vectors are kept here, for all runs. */
  readonly cacheFolder: string
  /** For retrievers that ask a model what is relevant; absent: the endpoint that TABLEHUNT_RERANK_URL names. */
  readonly relevance?: RelevanceModel
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  /** Told how far a long embedding is, a line at a time. */
  readonly progress?: (line: string) => void
}

/** One retriever over one embedder and one store, for all attempts of a run. */
export interface Retrieval {
  /**
   * The chunks for a question; with several `queries` (one a column, say) their rankings take turns. Rejects with
   * ProviderError where an embedder or a server fails, DataError where an index does not fit the embedder.
   */
  retrieve(
    question: Question,
    documents: readonly ContextDocument[],
    signal: AbortSignal,
    queries?: readonly string[],
  ): Promise<RetrievedChunks>
  close(): Promise<void>
}

/** Sets up a run's retrieval; servers and models start when first needed. Rejects with ConfigError for unknown names. */
export async function createRetrieval(options: RetrievalOptions): Promise<Retrieval> {
  const retriever = await pick<RetrieverEntry>('--retriever', options.retriever, retrievers).load()
  const settings = { ...parseEmbedder(options.embedder), environment: options.environment ?? process.env }
  const clock = options.clock ?? systemClock
  const embedder = await pick<EmbedderEntry>('--embedder', settings.kind, embedders).load({
    ...settings,
    clock,
  })
  const store = await pick<VectorStoreEntry>('--vector-store', options.vectorStore, vectorStores).load(
    options,
  )
  const dense = denseSearch(store, embedder, options)
  const relevance = options.relevance ?? relevanceEndpoint(settings.environment, clock)
  if (retriever.needsRelevance === true && relevance === null) {
    throw new ConfigError(
      `--retriever ${options.retriever} needs a reranking endpoint: set TABLEHUNT_RERANK_URL, such as http://127.0.0.1:8083/v1/rerank`,
    )
  }
  const chunked = rememberChunks(retriever)

  return {
    async retrieve(question, documents, signal, queries = [question.query]) {
      const all = await Promise.all(documents.map(chunked))
      const withChunks = all.filter(document => document.chunks.length > 0)
      const rankings: Chunk[][] = []
      for (const query of withChunks.length === 0 ? [] : queries) {
        rankings.push(
          await retriever.rank({
            query,
            documents: withChunks,
            dense: (among, k) => dense(query, among, k, signal),
            relevance,
            signal,
          }),
        )
      }
      const chunks = rankings.length <= 1 ? (rankings[0] ?? []) : interleaveRankings(rankings, retriever.k)
      const embedderName = retriever.usesVectors ? embedder.name : 'none'
      return { chunks, retriever: options.retriever, embedder: embedderName, k: retriever.k }
    },
    async close() {
      await store.close()
      await embedder.close?.()
    },
  }
}

function pick<T>(flag: string, name: string, registry: Readonly<Record<string, T>>): T {
  if (!Object.hasOwn(registry, name)) {
    throw new ConfigError(`${flag} ${notAmong(name, Object.keys(registry))}`)
  }
  return registry[name]!
}

/** Chunks of documents beyond this many characters of text are forgotten, least recently used first. */
const rememberedChars = 64_000_000

/** Documents recur in task after task: each is cut once while it is remembered. */
function rememberChunks(retriever: Retriever): (document: ContextDocument) => Promise<ChunkedDocument> {
  const known = new Map<string, { chars: number; chunked: Promise<ChunkedDocument> }>()
  let chars = 0
  return async document => {
    const key = JSON.stringify([document.hint, document.sha256, sha256(document.text)])
    const found = known.get(key)
    const entry = found ?? {
      chars: document.text.length,
      chunked: chunkDocument(document, retriever.splitter),
    }
    if (found === undefined) chars += entry.chars
    known.delete(key)
    known.set(key, entry)
    for (const [oldest, { chars: freed }] of known) {
      if (chars <= rememberedChars || oldest === key) break
      known.delete(oldest)
      chars -= freed
    }
    return await entry.chunked
  }
}

type DenseSearch = (
  query: string,
  documents: readonly ChunkedDocument[],
  k: number,
  signal: AbortSignal,
) => Promise<DenseHit[]>

function denseSearch(store: VectorStore, embedder: Embedder, options: RetrievalOptions): DenseSearch {
  const collectionOf = (document: ChunkedDocument): Collection => {
    const texts = document.chunks.map(chunk => chunk.text)
    const progress = (done: number, total: number): void => {
      if (embedder.worthKeeping) options.progress?.(`embedding ${document.hint}: ${done} of ${total} chunks`)
    }
    return {
      name: `d${sha256(`${document.key}\n${embedder.name}`).slice(0, 56)}`,
      texts,
      vectors: async signal => await embedInBatches(embedder, options.cacheFolder, texts, signal, progress),
    }
  }
  return async (query, documents, k, signal) => {
    const vector = await embedder.embedQuery(query, signal)
    const hits: DenseHit[] = []
    for (const document of documents) {
      const found = await store.nearest(collectionOf(document), vector, k, signal)
      hits.push(...found.map(hit => ({ ...hit, chunk: document.chunks[hit.index]! })))
    }
    // The sort is stable: equal distances stay in the order of documents and places.
    return hits.sort((a, b) => a.distance - b.distance).slice(0, k)
  }
}
