import type { Chunk } from '../../src/core/document.ts'
import { lruCache } from '../../src/system/lru-cache.ts'
import { type Bm25Index, createBm25Index } from '../bm25.ts'
import type { ChunkedDocument } from '../chunk.ts'

/** Returns the `k` best chunks of the documents by BM25, best first. Chunks without a word of the query are left out. */
export type LexicalRanking = (query: string, documents: readonly ChunkedDocument[], k: number) => Chunk[]

interface ChunkIndex {
  readonly chunks: readonly Chunk[]
  readonly index: Bm25Index
}

const cachedIndexes = 4

/** Creates a ranking that caches recent indexes, because trials and queries of one task follow each other. */
export function lexicalRanking(): LexicalRanking {
  const cached = lruCache<ChunkIndex>(cachedIndexes)
  return (query, documents, k) => {
    const key = documents.map(document => `${document.hint}\n${document.key}`).join('\n')
    const { chunks, index } = cached(key, () => indexOf(documents))
    return index.search(query, k).map(number => chunks[number]!)
  }
}

function indexOf(documents: readonly ChunkedDocument[]): ChunkIndex {
  const chunks = documents.flatMap(document => document.chunks)
  return { chunks, index: createBm25Index(chunks) }
}
