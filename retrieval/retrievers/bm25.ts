import { recursiveSplitter } from '../splitters/recursive.ts'
import { lexicalRanking } from './lexical.ts'
import { publishedK, type Retriever } from './retriever.ts'

/** Creates a retriever that ranks all chunks of the task's documents by BM25, without vectors. */
export function bm25Retriever(): Retriever {
  const lexical = lexicalRanking()
  return {
    k: publishedK,
    usesVectors: false,
    splitter: recursiveSplitter(),
    rank: async ({ query, documents, depth }) => lexical(query, documents, depth ?? publishedK),
  }
}
