import type { Chunk } from '../../src/core/document.ts'
import { isTableText, tableAwareSplitter } from '../splitters/table-aware.ts'
import { fuseRankings, interleaveRankings, rankDeeper } from './fusion.ts'
import { lexicalRanking } from './lexical.ts'
import { publishedK, type Retriever } from './retriever.ts'

/**
 * Creates a retriever over chunks that repeat a table's header and never cut a row. It ranks each document by dense
 * search and BM25, then interleaves tables with prose, and one document with the next.
 */
export function tableAwareRetriever(): Retriever {
  const lexical = lexicalRanking()
  return {
    k: publishedK,
    usesVectors: true,
    splitter: tableAwareSplitter(),
    rank: ({ query, documents, dense, depth }) =>
      rankDeeper(depth, publishedK, async k => {
        const rankings: Chunk[][] = []
        for (const document of documents) {
          const hits = await dense([document], k)
          const words = lexical(query, [document], k)
          const ranking = fuseRankings([hits.map(hit => hit.chunk), words], 2 * k)
          const tables = ranking.filter(chunk => isTableText(chunk.text))
          const prose = ranking.filter(chunk => !isTableText(chunk.text))
          rankings.push(interleaveRankings([tables, prose], k))
        }
        return interleaveRankings(rankings, k)
      }),
  }
}
