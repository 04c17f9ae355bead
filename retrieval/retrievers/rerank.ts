import { recursiveSplitter } from '../splitters/recursive.ts'
import { fuseRankings, rankDeeper } from './fusion.ts'
import { lexicalRanking } from './lexical.ts'
import { publishedK, type Retriever, rerankedPassages } from './retriever.ts'

/**
 * Creates a retriever that reorders the 100 best chunks of the hybrid ranking by a relevance model. With a depth, the
 * rest of the hybrid ranking follows.
 */
export function rerankRetriever(): Retriever {
  const lexical = lexicalRanking()
  return {
    k: rerankedPassages,
    usesVectors: true,
    splitter: recursiveSplitter(),
    rank: async ({ query, documents, dense, depth, relevance, signal }) => {
      if (relevance === null) throw new Error('rerank was started without a relevance model')
      const fused = await rankDeeper(depth, publishedK, async k => {
        const hits = await dense(documents, k)
        return fuseRankings([hits.map(hit => hit.chunk), lexical(query, documents, k)], k)
      })
      const chunks = fused.slice(0, rerankedPassages)
      const scores = await relevance(
        query,
        chunks.map(chunk => chunk.text),
        signal,
      )
      const ranked = chunks
        .map((chunk, index) => ({ chunk, score: scores[index] ?? Number.NEGATIVE_INFINITY }))
        .sort((a, b) => b.score - a.score)
        .map(({ chunk }) => chunk)
      return depth === null ? ranked : [...ranked, ...fused.slice(rerankedPassages)]
    },
  }
}
