import type { Chunk } from '../../src/core/document.ts'
import type { ChunkedDocument, Splitter } from '../chunk.ts'

/** A chunk that dense search found. */
export interface DenseHit {
  readonly chunk: Chunk
  /** Squared Euclidean distance of unit vectors, 0 to 4. */
  readonly distance: number
  readonly vector: Float32Array
}

/** Returns the relevance of each text to the query, in the order of the texts. Higher is better. */
export type RelevanceModel = (
  query: string,
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly number[]>

/** The input of a retriever for one query. */
export interface RankInput {
  readonly query: string
  /** The documents that have chunks, in the task's order. */
  readonly documents: readonly ChunkedDocument[]
  /**
   * Returns the `k` nearest chunks of the given documents, nearest first. Chunks at equal distances keep the order of
   * documents and text.
   */
  dense(documents: readonly ChunkedDocument[], k: number): Promise<DenseHit[]>
  /** Number of chunks to return, to fill a context of a given size. Null for the preset's number. */
  readonly depth: number | null
  /** Null when no relevance model is configured. */
  readonly relevance: RelevanceModel | null
  readonly signal: AbortSignal
}

/** Ranks the chunks of a task's documents for a query. */
export interface Retriever {
  /** Number of chunks to return for a query. */
  readonly k: number
  /** False when the retriever needs no embedder and no vector store. */
  readonly usesVectors: boolean
  readonly splitter: Splitter
  /** Applies the preset's limits to the merged rankings of several queries. `rank` applies them to its own result. */
  limit?(chunks: readonly Chunk[]): Chunk[]
  /** Returns at most `depth` chunks, or `k` when `depth` is null, best first. */
  rank(input: RankInput): Promise<Chunk[]>
}

/** Number of passages that `rerank` has rated for each query. */
export const rerankedPassages = 100

/** Number of chunks of the baseline published with AOE: max(50 x 5, 10). */
export const publishedK = 250
