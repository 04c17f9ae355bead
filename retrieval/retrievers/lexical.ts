import type { Chunk } from '../../src/core/document.ts'
import { type Bm25Index, createBm25Index } from '../bm25.ts'
import type { ChunkedDocument } from '../chunk.ts'

/** The `k` best chunks of the documents by BM25, best first; chunks that share no word with the query are left out. */
export type LexicalRanking = (query: string, documents: readonly ChunkedDocument[], k: number) => Chunk[]

interface Kept {
  readonly chunks: readonly Chunk[]
  readonly index: Bm25Index
}

const indexesKept = 4

/** A ranking that keeps the indexes of the last sets of documents: trials and queries of one task follow each other. */
export function lexicalRanking(): LexicalRanking {
  const kept = new Map<string, Kept>()
  return (query, documents, k) => {
    const key = documents.map(document => `${document.hint}\n${document.key}`).join('\n')
    const entry = kept.get(key) ?? indexOf(documents)
    kept.delete(key)
    kept.set(key, entry)
    for (const oldest of kept.keys()) {
      if (kept.size <= indexesKept) break
      kept.delete(oldest)
    }
    return entry.index.search(query, k).map(hit => entry.chunks[Number(hit.id)]!)
  }
}

function indexOf(documents: readonly ChunkedDocument[]): Kept {
  const chunks = documents.flatMap(document => document.chunks)
  return { chunks, index: createBm25Index(chunks.map((chunk, at) => ({ id: String(at), text: chunk.text }))) }
}
