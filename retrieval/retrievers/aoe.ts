import type { Chunk } from '../../src/core/document.ts'
import { recursiveSplitter } from '../splitters/recursive.ts'
import { publishedK, type Retriever } from './retriever.ts'

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
  const seen = new Set<string>()
  const bySource = new Map<string, number>()
  return chunks.filter(chunk => {
    const taken = bySource.get(chunk.hint) ?? 0
    if (seen.has(chunk.text) || taken >= perSource) return false
    seen.add(chunk.text)
    bySource.set(chunk.hint, taken + 1)
    return true
  })
}
