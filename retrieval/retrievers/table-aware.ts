import { tableAwareSplitter } from '../splitters/table-aware.ts'
import { lexicalRanking } from './bm25.ts'
import { fuseRankings } from './fusion.ts'
import { publishedK, type Retriever } from './retriever.ts'

/** Chunks that keep a table's header with its rows and never cut a row, ranked as the hybrid retriever ranks. */
export function tableAwareRetriever(): Retriever {
  return {
    k: publishedK,
    usesVectors: true,
    splitter: tableAwareSplitter(),
    rank: async ({ query, documents, dense }) => {
      const hits = await dense(documents, publishedK)
      const words = lexicalRanking(query, documents, publishedK)
      return fuseRankings([hits.map(hit => hit.chunk), words], publishedK)
    },
  }
}
