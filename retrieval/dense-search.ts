import PQueue from 'p-queue'
import { sha256 } from '../src/system/hash.ts'
import type { ChunkedDocument } from './chunk.ts'
import type { Embedder } from './embeddings/embedder.ts'
import { embedInBatches } from './embeddings/vector-cache.ts'
import type { DenseHit } from './retrievers/retriever.ts'
import type { Collection, VectorStore } from './stores/vector-store.ts'

/**
 * Returns the `k` nearest chunks of all given documents, nearest first. Chunks at equal distances keep the order of
 * documents and text.
 */
export type DenseSearch = (documents: readonly ChunkedDocument[], k: number) => Promise<DenseHit[]>

/** Documents of a search that are opened at the same time: while one is written to the store, the next is embedded. */
const openedAtOnce = 2

interface DenseSearchOptions {
  readonly cacheFolder: string
  readonly progress?: (line: string) => void
}

/**
 * Creates dense search over a vector store. The result takes a query and returns its search. The search embeds the
 * query once, queries the collection of each document and merges the hits by exact distance.
 */
export function createDenseSearch(
  store: VectorStore,
  embedder: Embedder,
  options: DenseSearchOptions,
): (query: string, signal: AbortSignal) => DenseSearch {
  const collectionOf = (document: ChunkedDocument, dimensions: number, embedding: PQueue): Collection => {
    const texts = document.chunks.map(chunk => chunk.text)
    const progress = (done: number, total: number): void => {
      if (embedder.worthKeeping) options.progress?.(`embedding ${document.hint}: ${done} of ${total} chunks`)
    }
    const { cacheFolder } = options
    const identity = `${embedder.identity ?? embedder.name}\n${dimensions}`
    return {
      name: `d${sha256(`${document.key}\n${identity}`).slice(0, 56)}`,
      texts,
      vectors: async signal =>
        await embedding.add(() =>
          embedInBatches(embedder, texts, { cacheFolder, dimensions, signal, progress }),
        ),
    }
  }
  /** Keys of documents whose chunks are in the store. */
  const indexed = new Set<string>()
  return (query, signal) => {
    let vector: Promise<Float32Array> | null = null
    const hitsIn = async (document: ChunkedDocument, k: number, embedding: PQueue): Promise<DenseHit[]> => {
      vector ??= embedder.embedQuery(query, signal)
      const asked = await vector
      const collection = collectionOf(document, asked.length, embedding)
      const found = await store.nearest(collection, asked, k, signal)
      indexed.add(document.key)
      return found.map(hit => ({ ...hit, chunk: document.chunks[hit.index]! }))
    }
    return async (documents, k) => {
      const opening = new PQueue({ concurrency: openedAtOnce })
      // One document is embedded at a time, which limits the requests to the embedder.
      const embedding = new PQueue({ concurrency: 1 })
      const search = (document: ChunkedDocument) => hitsIn(document, k, embedding)
      try {
        const hits = await Promise.all(
          documents.map(document =>
            indexed.has(document.key) ? search(document) : opening.add(() => search(document)),
          ),
        )
        // The sort is stable: hits at equal distances keep the order of documents and text.
        return hits
          .flat()
          .sort((a, b) => a.distance - b.distance)
          .slice(0, k)
      } finally {
        opening.clear()
      }
    }
  }
}
