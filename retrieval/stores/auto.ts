import { ChromaStartError } from './chroma-server.ts'
import { exactStore } from './exact.ts'
import type { VectorStore } from './vector-store.ts'

/** Up to this number of chunks, exact search is faster than Chroma in every respect (docs/decisions/0022). */
const mostComparedChunks = 1_000

/** Learns which store searches. */
export interface StoreListener {
  /** Called at each search with the name of the store that answered it. */
  readonly onUse: (store: 'chroma' | 'exact') => void
  /** Called once with the cause when all documents are searched exactly because Chroma's server did not start. */
  readonly onFallback: (cause: string) => void
}

/**
 * Creates a store that compares the chunks of a document exactly, and searches documents of very many chunks with Chroma.
 * When Chroma's server does not start, it searches these exactly too, which returns the same hits.
 */
export function autoStore(chroma: VectorStore, { onUse, onFallback }: StoreListener): VectorStore {
  const exact = exactStore()
  let isChromaMissing = false
  return {
    async nearest(collection, query, k, signal) {
      if (!isChromaMissing && collection.texts.length > mostComparedChunks) {
        try {
          const hits = await chroma.nearest(collection, query, k, signal)
          onUse('chroma')
          return hits
        } catch (error) {
          if (!(error instanceof ChromaStartError)) throw error
          // Several searches may have waited for the same server.
          if (!isChromaMissing) onFallback(error.reason)
          isChromaMissing = true
        }
      }
      const hits = await exact.nearest(collection, query, k, signal)
      onUse('exact')
      return hits
    },
    async close() {
      await chroma.close()
      await exact.close()
    },
  }
}
