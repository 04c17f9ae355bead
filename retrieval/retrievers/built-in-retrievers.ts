import type { Chunk } from '../../src/core/document.ts'
import { lruCache } from '../../src/system/lru-cache.ts'
import { type Bm25Index, createBm25Index } from '../bm25.ts'
import type { ChunkedDocument } from '../chunk.ts'
import { isTableText, recursiveSplitter, tableAwareSplitter } from '../splitters.ts'
import { fuseRankings, interleaveRankings, rankDeeper } from './fusion.ts'
import { type DenseHit, publishedK, type Retriever, rerankedPassages } from './retriever.ts'

/** Returns the `k` best chunks of the documents by BM25, best first. Chunks without a word of the query are left out. */
type LexicalRanking = (query: string, documents: readonly ChunkedDocument[], k: number) => Chunk[]

interface ChunkIndex {
  readonly chunks: readonly Chunk[]
  readonly index: Bm25Index
}

const cachedIndexes = 4

/** Creates a ranking that caches recent indexes, because trials and queries of one task follow each other. */
export function lexicalRanking(): LexicalRanking {
  const cached = lruCache<ChunkIndex>(cachedIndexes)
  return (query, documents, k) => {
    const key = documents.map(document => `${document.hint}\n${document.key}`).join('\n')
    const { chunks, index } = cached(key, () => indexChunks(documents))
    return index.search(query, k).map(number => chunks[number]!)
  }
}

function indexChunks(documents: readonly ChunkedDocument[]): ChunkIndex {
  const chunks = documents.flatMap(document => document.chunks)
  return { chunks, index: createBm25Index(chunks) }
}

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

const chunksPerSource = 50

/**
 * Creates the dense baseline that was published with AOE (arXiv 2507.16271). It takes the 250 nearest chunks of all
 * documents, drops repeated texts and keeps at most 50 chunks of each document. With a depth, it takes that many of
 * the nearest chunks and does not limit documents.
 */
export function aoeRetriever(): Retriever {
  return {
    k: publishedK,
    usesVectors: true,
    splitter: recursiveSplitter(),
    limit: chunks => limitSources(chunks, chunksPerSource),
    rank: async ({ documents, dense, depth }) => {
      const hits = await dense(documents, depth ?? publishedK)
      const perSource = depth === null ? chunksPerSource : Number.POSITIVE_INFINITY
      return limitSources(
        hits.map(hit => hit.chunk),
        perSource,
      )
    },
  }
}

function limitSources(chunks: readonly Chunk[], perSource: number): Chunk[] {
  const texts = new Set<string>()
  const bySource = new Map<string, number>()
  return chunks.filter(chunk => {
    const count = bySource.get(chunk.hint) ?? 0
    if (texts.has(chunk.text) || count >= perSource) return false
    texts.add(chunk.text)
    bySource.set(chunk.hint, count + 1)
    return true
  })
}

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

const spareCandidates = publishedK
/** The weight of similarity to the query. The remaining weight counts similarity to chunks already chosen. */
const relevanceWeight = 0.5

/**
 * Creates a retriever by maximal marginal relevance (Carbonell and Goldstein, 1998). Each chunk that it chooses is
 * similar to the query and different from the chunks chosen before.
 */
export function mmrRetriever(): Retriever {
  return {
    k: publishedK,
    usesVectors: true,
    splitter: recursiveSplitter(),
    rank: ({ documents, dense, depth }) =>
      rankDeeper(depth, publishedK, async k => diversify(await dense(documents, k + spareCandidates), k)),
  }
}

function diversify(hits: readonly DenseHit[], k: number): Chunk[] {
  const relevance = hits.map(hit => 1 - hit.distance / 2)
  const similarity = new Float64Array(hits.length).fill(Number.NEGATIVE_INFINITY)
  const left = new Set(hits.keys())
  const chosen: Chunk[] = []
  while (left.size > 0 && chosen.length < k) {
    let best = -1
    let bestScore = Number.NEGATIVE_INFINITY
    for (const index of left) {
      const redundancy = chosen.length === 0 ? 0 : similarity[index]!
      const score = relevanceWeight * relevance[index]! - (1 - relevanceWeight) * redundancy
      if (score > bestScore) [best, bestScore] = [index, score]
    }
    left.delete(best)
    const choice = hits[best]!
    chosen.push(choice.chunk)
    for (const index of left) {
      similarity[index] = Math.max(similarity[index]!, dot(hits[index]!.vector, choice.vector))
    }
  }
  return chosen
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}

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
