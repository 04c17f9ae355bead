import { DataError } from '../../src/core/errors.ts'
import { pickHighest } from '../highest.ts'
import { type Collection, computeSquaredDistance, type VectorStore } from './vector-store.ts'

/**
 * Creates a store that compares every vector with the query. Its recall is 1, and it writes nothing to disk.
 *
 * @param memoryLimitBytes when the vectors in memory are larger than this, those that were used longest ago are dropped
 */
export function exactStore(memoryLimitBytes: number = 400 * 1024 * 1024): VectorStore {
  const memory = createVectorMemory(memoryLimitBytes)
  return {
    async nearest(collection, query, k, signal) {
      const vectors = await memory.vectorsOf(collection, signal)
      const dimensions = vectors[0]?.length ?? query.length
      if (dimensions !== query.length) {
        throw new DataError(
          `the chunks have vectors of ${dimensions} dimensions, but the query has ${query.length}. Use one embedder for both.`,
          { code: 'embedder-mismatch' },
        )
      }
      const nearness = Float64Array.from(vectors, vector => -computeSquaredDistance(vector, query))
      return pickHighest(nearness, k, { above: -Infinity }).map(index => {
        return { index, distance: -nearness[index]!, vector: vectors[index]! }
      })
    },
    close: async () => memory.clear(),
  }
}

/** Keeps the vectors of recently used collections in memory. */
function createVectorMemory(memoryLimitBytes: number) {
  // Both maps are in order of use, least recent first.
  const collections = new Map<string, Promise<Float32Array[]>>()
  const sizesBytes = new Map<string, number>()

  function drop(name: string): void {
    collections.delete(name)
    sizesBytes.delete(name)
  }

  function dropLeastRecent(inUse: string): void {
    let totalBytes = [...sizesBytes.values()].reduce((sum, bytes) => sum + bytes, 0)
    for (const [name, bytes] of [...sizesBytes]) {
      if (totalBytes <= memoryLimitBytes || name === inUse) continue
      drop(name)
      totalBytes -= bytes
    }
  }

  async function vectorsOf(collection: Collection, signal: AbortSignal): Promise<Float32Array[]> {
    const { name } = collection
    const cached = collections.get(name)
    const pending = cached ?? collection.vectors(signal)
    collections.delete(name)
    collections.set(name, pending)
    try {
      const vectors = await pending
      sizesBytes.delete(name)
      sizesBytes.set(name, vectors.length * (vectors[0]?.byteLength ?? 0))
    } catch (error) {
      drop(name)
      // Another attempt was cancelled, but this one was not: request the vectors again.
      if (cached !== undefined && !signal.aborted) return await vectorsOf(collection, signal)
      throw error
    }
    dropLeastRecent(name)
    return await pending
  }

  return { vectorsOf, clear: () => collections.clear() }
}
