import type { Chunk } from '../../src/core/document.ts'
import { createBm25Index } from '../bm25.ts'
import type { ChunkedDocument } from '../chunk.ts'
import { recursiveSplitter } from '../splitters/recursive.ts'
import { publishedK, type Retriever } from './retriever.ts'

/** Words alone: BM25 over all chunks of the task's documents. */
export function bm25Retriever(): Retriever {
  return {
    k: publishedK,
    usesVectors: false,
    splitter: recursiveSplitter(),
    rank: async ({ query, documents }) => lexicalRanking(query, documents, publishedK),
  }
}

/** The `k` best chunks by BM25, best first; chunks that share no word with the query are left out. */
export function lexicalRanking(query: string, documents: readonly ChunkedDocument[], k: number): Chunk[] {
  const chunks = documents.flatMap(document => document.chunks)
  const index = createBm25Index(chunks.map((chunk, at) => ({ id: String(at), text: chunk.text })))
  return index.search(query, k).map(hit => chunks[Number(hit.id)]!)
}
