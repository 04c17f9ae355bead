/** Turns texts into vectors of length 1 (or 0 for a text with nothing to embed), all of one dimension. */
export interface Embedder {
  /** As the user named it, without a URL: goes into records and into an index's identity. */
  readonly name: string
  /** What an index and kept vectors go by where the name does not tell one model from another; absent: the name. */
  readonly identity?: string
  /** False: made on the spot from the text alone, faster than it can be read back from disk. */
  readonly worthKeeping: boolean
  /** Texts sent at once. */
  readonly batchSize: number
  /** Rejects with ProviderError where a service fails. */
  embedChunks(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>
}

/** The vector divided by its length, in place; a zero vector stays. */
export function normalise(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  if (length > 0) for (let index = 0; index < vector.length; index++) vector[index]! /= length
  return vector
}
