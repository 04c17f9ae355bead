import { ChromaStartError } from './chroma-server.ts'
import { exactStore } from './exact.ts'
import type { VectorStore } from './vector-store.ts'

/**
 * Creates a store that searches with Chroma when its server starts. Otherwise it searches exactly, which returns the
 * same hits, and calls `onFallback` once with the cause.
 */
export function chromaOrExact(chroma: VectorStore, onFallback: (cause: string) => void): VectorStore {
  let exact: VectorStore | null = null
  return {
    async nearest(collection, query, k, signal) {
      if (exact === null) {
        try {
          return await chroma.nearest(collection, query, k, signal)
        } catch (error) {
          if (!(error instanceof ChromaStartError)) throw error
          // Several searches may have waited for the same server.
          if (exact === null) onFallback(error.reason)
          exact ??= exactStore()
        }
      }
      return await exact.nearest(collection, query, k, signal)
    },
    async close() {
      await chroma.close()
      await exact?.close()
    },
  }
}
