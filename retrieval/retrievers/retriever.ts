import type { Chunk } from '../../src/core/document.ts'
import type { ChunkedDocument, Splitter } from '../chunk.ts'

/** A chunk that dense search found. */
export interface DenseHit {
  readonly chunk: Chunk
  /** Squared distance of unit vectors, 0 to 4. */
  readonly distance: number
  readonly vector: Float32Array
}

/** Relevance of each text to the query, higher is better, in the texts' order. */
export type RelevanceModel = (
  query: string,
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly number[]>

/** What a retriever works with for one query. */
export interface RetrievalGrounds {
  readonly query: string
  /** Those that have chunks, in the order of the task's documents. */
  readonly documents: readonly ChunkedDocument[]
  /** The `k` nearest chunks of the given documents, nearest first, ties by document order and place. */
  dense(documents: readonly ChunkedDocument[], k: number): Promise<DenseHit[]>
  /** Chunks wanted where a context of a given size stands in for the preset's limits; null: as the preset says. */
  readonly depth: number | null
  /** Null where none is set up. */
  readonly relevance: RelevanceModel | null
  readonly signal: AbortSignal
}

/** A way of choosing chunks: pure but for what the grounds reach. */
export interface Retriever {
  /** Chunks asked for a query. */
  readonly k: number
  /** False: needs no embedder and no vector store. */
  readonly usesVectors: boolean
  readonly splitter: Splitter
  /** Where the preset limits what several queries bring together; `rank` keeps to it by itself. */
  limit?(chunks: readonly Chunk[]): Chunk[]
  /** At most `k` chunks, or `depth` where that is given, best first. */
  rank(grounds: RetrievalGrounds): Promise<Chunk[]>
}

/** Passages that `rerank` has rated for a query. */
export const rerankedPassages = 100

/** Published baseline: max(50 x 5, 10). */
export const publishedK = 250
