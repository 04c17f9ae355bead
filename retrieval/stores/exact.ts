import { DataError } from '../../src/core/errors.ts'
import { byDistance, type Collection, squaredDistance, type VectorStore } from './vector-store.ts'

/** Vectors of documents beyond this are forgotten, least recently used first, and made again when asked for. */
const memoryLimitBytes = 400 * 1024 * 1024

/** Every vector compared with the query: recall 1, nothing on disk. */
export function exactStore(): VectorStore {
  const kept = new Map<string, Promise<Float32Array[]>>()
  const sizes = new Map<string, number>()

  function forget(name: string): void {
    kept.delete(name)
    sizes.delete(name)
  }

  async function vectorsOf(collection: Collection, signal: AbortSignal): Promise<Float32Array[]> {
    const known = kept.get(collection.name)
    const vectors = known ?? collection.vectors(signal)
    kept.delete(collection.name)
    kept.set(collection.name, vectors)
    try {
      const made = await vectors
      sizes.delete(collection.name)
      sizes.set(collection.name, made.length * (made[0]?.byteLength ?? 0))
    } catch (error) {
      forget(collection.name)
      // Another attempt's cancellation is no failure of ours: ask again for ourselves.
      if (known !== undefined && !signal.aborted) return await vectorsOf(collection, signal)
      throw error
    }
    let total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
    for (const [name, bytes] of [...sizes]) {
      if (total <= memoryLimitBytes || name === collection.name) continue
      forget(name)
      total -= bytes
    }
    return await vectors
  }

  return {
    async nearest(collection, query, k, signal) {
      const vectors = await vectorsOf(collection, signal)
      const dimensions = vectors[0]?.length ?? query.length
      if (dimensions !== query.length) {
        throw new DataError(
          `the chunks have vectors of ${dimensions} dimensions, the query one of ${query.length}: one embedder for both`,
        )
      }
      return vectors
        .map((vector, index) => ({ index, distance: squaredDistance(vector, query), vector }))
        .sort(byDistance)
        .slice(0, k)
    },
    close: async () => kept.clear(),
  }
}
