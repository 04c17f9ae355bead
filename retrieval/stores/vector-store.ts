/** A chunk's place in its document and how far its vector is from the query's. */
export interface StoredHit {
  readonly index: number
  /** Squared Euclidean distance of unit vectors, 0 to 4. */
  readonly distance: number
  readonly vector: Float32Array
}

/** One document's chunks under one splitter and embedder: what a collection holds. */
export interface Collection {
  /** Letters and digits, at most 60: from the hashes of text, splitter and embedder. */
  readonly name: string
  readonly texts: readonly string[]
  /** The chunks' vectors in chunk order; asked for only where the collection is not there yet. */
  vectors(signal: AbortSignal): Promise<Float32Array[]>
}

/** Keeps vectors by document and finds the nearest. */
export interface VectorStore {
  /** The `k` nearest chunks, nearest first, ties by place; indexes the collection first where that is still to do. */
  nearest(collection: Collection, query: Float32Array, k: number, signal: AbortSignal): Promise<StoredHit[]>
  close(): Promise<void>
}

/** Squared distance in double precision, the same whichever store the vectors come from. */
export function squaredDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) {
    const difference = a[index]! - b[index]!
    sum += difference * difference
  }
  return sum
}

export function byDistance(a: StoredHit, b: StoredHit): number {
  return a.distance - b.distance || a.index - b.index
}
