import type { Chunk } from '../../src/core/document.ts'
import { recursiveSplitter } from '../splitters/recursive.ts'
import { interleaveRankings } from './fusion.ts'
import { publishedK, type Retriever } from './retriever.ts'

/** Dense search in each document by itself, the documents taking turns, so that none goes without. */
export function perDocumentRetriever(): Retriever {
  return {
    k: publishedK,
    usesVectors: true,
    splitter: recursiveSplitter(),
    rank: async ({ documents, dense, depth }) => {
      const k = depth ?? publishedK
      const rankings: Chunk[][] = []
      for (const document of documents) {
        rankings.push((await dense([document], k)).map(hit => hit.chunk))
      }
      return interleaveRankings(rankings, k)
    },
  }
}
