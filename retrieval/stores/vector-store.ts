/** A chunk that a vector store found. */
export interface StoredHit {
  /** The number of the chunk in its document, from 0. */
  readonly index: number
  /** Squared Euclidean distance of unit vectors, 0 to 4. */
  readonly distance: number
  readonly vector: Float32Array
}

/** The chunks of one document, cut by one splitter and embedded by one embedder. */
export interface Collection {
  /** At most 60 letters and digits, from the hashes of text, splitter and embedder. */
  readonly name: string
  readonly texts: readonly string[]
  /** Returns the vectors of the chunks, in order. Called only when the store does not have the collection. */
  vectors(signal: AbortSignal): Promise<Float32Array[]>
}

/** Stores vectors by document and finds the nearest. */
export interface VectorStore {
  /**
   * Returns the `k` nearest chunks, nearest first. Chunks at equal distances keep their order. Indexes the collection
   * first when the store does not have it.
   *
   * @throws DataError `embedder-mismatch` when the query and the stored vectors have different dimensions
   */
  nearest(collection: Collection, query: Float32Array, k: number, signal: AbortSignal): Promise<StoredHit[]>
  close(): Promise<void>
}

/** Returns the squared Euclidean distance in double precision, so that all stores compute the same distances. */
export function computeSquaredDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) {
    const difference = a[index]! - b[index]!
    sum += difference * difference
  }
  return sum
}

/** Compares hits for sorting: nearest first, then by their order in the document. */
export function compareDistances(a: StoredHit, b: StoredHit): number {
  return a.distance - b.distance || a.index - b.index
}
