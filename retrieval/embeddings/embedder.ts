import type { Clock } from '../../src/core/runtime.ts'

/**
 * Turns texts into vectors of one dimension. Every vector has length 1, or length 0 when the text contains nothing to
 * embed.
 */
export interface Embedder {
  /** The name that the user gave, without a URL. Part of records and of the identity of an index. */
  readonly name: string
  /** Identifies the model in indexes and caches when the name is ambiguous. The default is the name. */
  readonly identity?: string
  /** False when computing a vector is faster than reading it from disk. Its vectors are not cached. */
  readonly worthKeeping: boolean
  /** Number of texts in one request. */
  readonly batchSize: number
  /**
   * Returns one vector for each text, in order.
   * @throws ProviderError when the embedding service fails
   */
  embedChunks(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
  /** @throws ProviderError when the embedding service fails */
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>
}

/** Everything that an embedder is created from: the parts of `KIND:NAME@URL`, the environment and the clock. */
export interface EmbedderSettings {
  readonly kind: string
  /** The name of the model; an empty string when the user gave none. */
  readonly model: string
  readonly url: string | null
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
}

/** Divides a vector by its length, in place. A zero vector stays as it is. */
export function normalise(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  if (length > 0) for (let index = 0; index < vector.length; index++) vector[index]! /= length
  return vector
}
