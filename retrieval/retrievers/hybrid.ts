import { recursiveSplitter } from '../splitters/recursive.ts'
import { fuseRankings, rankDeeper } from './fusion.ts'
import { lexicalRanking } from './lexical.ts'
import { publishedK, type Retriever } from './retriever.ts'

/** Creates a retriever that merges dense search and BM25 by reciprocal rank fusion. */
export function hybridRetriever(): Retriever {
  const lexical = lexicalRanking()
  return {
    k: publishedK,
    usesVectors: true,
    splitter: recursiveSplitter(),
    rank: ({ query, documents, dense, depth }) =>
      rankDeeper(depth, publishedK, async k => {
        const hits = await dense(documents, k)
        const words = lexical(query, documents, k)
        return fuseRankings([hits.map(hit => hit.chunk), words], k)
      }),
  }
}
