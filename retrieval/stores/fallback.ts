import { ChromaStartError } from './chroma-server.ts'
import { exactStore } from './exact.ts'
import type { VectorStore } from './vector-store.ts'

/**
 * Searches with Chroma where its server starts. Where it does not, searches exactly instead, which returns the same
 * hits, and calls `fellBack` once with the cause.
 */
export function chromaOrExact(chroma: VectorStore, fellBack: (cause: string) => void): VectorStore {
  let exact: VectorStore | null = null
  return {
    async nearest(collection, query, k, signal) {
      if (exact === null) {
        try {
          return await chroma.nearest(collection, query, k, signal)
        } catch (error) {
          if (!(error instanceof ChromaStartError)) throw error
          // Several searches may have waited for the same start.
          if (exact === null) fellBack(error.reason)
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
