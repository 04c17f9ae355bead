import type { Chunk } from '../../src/core/document.ts'
import { lruCache } from '../../src/core/lru-cache.ts'
import { type Bm25Index, createBm25Index } from '../bm25.ts'
import type { ChunkedDocument } from '../chunk.ts'

/** The `k` best chunks of the documents by BM25, best first; chunks that share no word with the query are left out. */
export type LexicalRanking = (query: string, documents: readonly ChunkedDocument[], k: number) => Chunk[]

interface ChunkIndex {
  readonly chunks: readonly Chunk[]
  readonly index: Bm25Index
}

const indexesKept = 4

/** A ranking that keeps the indexes of the last sets of documents: trials and queries of one task follow each other. */
export function lexicalRanking(): LexicalRanking {
  const kept = lruCache<ChunkIndex>(indexesKept)
  return (query, documents, k) => {
    const key = documents.map(document => `${document.hint}\n${document.key}`).join('\n')
    const { chunks, index } = kept(key, () => indexOf(documents))
    return index.search(query, k).map(place => chunks[place]!)
  }
}

function indexOf(documents: readonly ChunkedDocument[]): ChunkIndex {
  const chunks = documents.flatMap(document => document.chunks)
  return { chunks, index: createBm25Index(chunks) }
}
