import { recursiveSplitter } from '../splitters/recursive.ts'
import { lexicalRanking } from './bm25.ts'
import { fuseRankings } from './fusion.ts'
import { publishedK, type Retriever } from './retriever.ts'

/** Dense search and BM25, fused by reciprocal ranks. */
export function hybridRetriever(): Retriever {
  return {
    k: publishedK,
    usesVectors: true,
    splitter: recursiveSplitter(),
    rank: async ({ query, documents, dense }) => {
      const hits = await dense(documents, publishedK)
      const words = lexicalRanking(query, documents, publishedK)
      return fuseRankings([hits.map(hit => hit.chunk), words], publishedK)
    },
  }
}
