import type { Chunk } from '../../src/core/document.ts'
import { recursiveSplitter } from '../splitters/recursive.ts'
import { rankDeeper } from './fusion.ts'
import { type DenseHit, publishedK, type Retriever } from './retriever.ts'

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
    const taken = hits[best]!
    chosen.push(taken.chunk)
    for (const index of left) {
      similarity[index] = Math.max(similarity[index]!, dot(hits[index]!.vector, taken.vector))
    }
  }
  return chosen
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}
