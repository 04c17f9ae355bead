import type { Chunk } from '../../src/core/document.ts'
import { recursiveSplitter } from '../splitters/recursive.ts'
import { interleaveRankings } from './fusion.ts'
import { publishedK, type Retriever } from './retriever.ts'

/** Creates a retriever that searches each document on its own and interleaves the results, so that each is included. */
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
