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
  const collectionOf = (document: ChunkedDocument): Collection => {
    const texts = document.chunks.map(chunk => chunk.text)
    const progress = (done: number, total: number): void => {
      if (embedder.worthKeeping) options.progress?.(`embedding ${document.hint}: ${done} of ${total} chunks`)
    }
    const { cacheFolder } = options
    return {
      name: `d${sha256(`${document.key}\n${embedder.identity ?? embedder.name}`).slice(0, 56)}`,
      texts,
      vectors: async signal => await embedInBatches(embedder, texts, { cacheFolder, signal, progress }),
    }
  }
  /** Keys of documents whose chunks are in the store. */
  const indexed = new Set<string>()
  return (query, signal) => {
    let vector: Promise<Float32Array> | null = null
    const hitsIn = async (document: ChunkedDocument, k: number): Promise<DenseHit[]> => {
      vector ??= embedder.embedQuery(query, signal)
      const found = await store.nearest(collectionOf(document), await vector, k, signal)
      indexed.add(document.key)
      return found.map(hit => ({ ...hit, chunk: document.chunks[hit.index]! }))
    }
    return async (documents, k) => {
      // Documents are indexed one at a time, which limits the requests to the embedder. Indexed ones are searched at the same time.
      const hits = new Map<ChunkedDocument, DenseHit[]>()
      for (const document of documents)
        if (!indexed.has(document.key)) hits.set(document, await hitsIn(document, k))
      const known = documents.filter(document => !hits.has(document))
      await Promise.all(known.map(async document => hits.set(document, await hitsIn(document, k))))
      const all = documents.flatMap(document => hits.get(document)!)
      // The sort is stable: hits at equal distances keep the order of documents and text.
      return all.sort((a, b) => a.distance - b.distance).slice(0, k)
    }
  }
}
