import { recursiveSplitter } from '../splitters/recursive.ts'
import { fuseRankings } from './fusion.ts'
import { lexicalRanking } from './lexical.ts'
import { publishedK, type Retriever } from './retriever.ts'

const candidates = 100

/**
 * The 100 best of the hybrid ranking put in the order that a relevance model gives them; with a depth, the rest of the
 * hybrid ranking follows.
 */
export function rerankRetriever(): Retriever {
  const lexical = lexicalRanking()
  return {
    k: candidates,
    usesVectors: true,
    needsRelevance: true,
    splitter: recursiveSplitter(),
    rank: async ({ query, documents, dense, depth, relevance, signal }) => {
      if (relevance === null) throw new Error('rerank was started without a relevance model')
      const k = depth ?? publishedK
      const hits = await dense(documents, k)
      const words = lexical(query, documents, k)
      const fused = fuseRankings([hits.map(hit => hit.chunk), words], depth ?? candidates)
      const chunks = fused.slice(0, candidates)
      const scores = await relevance(
        query,
        chunks.map(chunk => chunk.text),
        signal,
      )
      const ranked = chunks
        .map((chunk, index) => ({ chunk, score: scores[index] ?? Number.NEGATIVE_INFINITY }))
        .sort((a, b) => b.score - a.score)
        .map(({ chunk }) => chunk)
      return [...ranked, ...fused.slice(candidates)]
    },
  }
}
