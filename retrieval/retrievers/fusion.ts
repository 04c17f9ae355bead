import type { Chunk } from '../../src/core/document.ts'

/** The constant of the paper that introduced reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009). */
const rankOffset = 60

/**
 * Merges rankings by reciprocal rank fusion. The score of a chunk is the sum of 1 / (60 + rank) over the
 * rankings that contain it. Chunks with equal scores keep the order in which they first appear.
 */
export function fuseRankings(rankings: readonly (readonly Chunk[])[], limit: number): Chunk[] {
  const scores = new Map<string, { chunk: Chunk; score: number }>()
  for (const ranking of rankings) {
    ranking.forEach((chunk, rank) => {
      const entry = scores.get(chunkKey(chunk)) ?? { chunk, score: 0 }
      entry.score += 1 / (rankOffset + rank + 1)
      scores.set(chunkKey(chunk), entry)
    })
  }
  return [...scores.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(entry => entry.chunk)
}

/** Returns the best chunk of each ranking, then the second best of each, and so on. Each chunk is returned once. */
export function interleaveRankings(rankings: readonly (readonly Chunk[])[], limit: number): Chunk[] {
  const chosen = new Map<string, Chunk>()
  const depth = Math.max(0, ...rankings.map(ranking => ranking.length))
  for (let rank = 0; rank < depth; rank++) {
    for (const ranking of rankings) {
      const chunk = ranking[rank]
      if (chunk !== undefined && !chosen.has(chunkKey(chunk))) chosen.set(chunkKey(chunk), chunk)
    }
  }
  return [...chosen.values()].slice(0, limit)
}

/**
 * Returns the ranking of the preset, extended by a deeper ranking when `depth` asks for more chunks. Fused and
 * diversified rankings change with their depth. Extending the preset's ranking ensures that a larger context begins
 * with the same chunks as a smaller one.
 *
 * @param rank returns the best `k` chunks
 */
export async function rankDeeper(
  depth: number | null,
  presetK: number,
  rank: (k: number) => Promise<readonly Chunk[]>,
): Promise<Chunk[]> {
  const preset = await rank(presetK)
  if (depth === null || depth <= presetK) return preset.slice(0, depth ?? presetK)
  const presetKeys = new Set(preset.map(chunkKey))
  const deeper = (await rank(depth)).filter(chunk => !presetKeys.has(chunkKey(chunk)))
  return [...preset, ...deeper].slice(0, depth)
}

function chunkKey(chunk: Chunk): string {
  return `${chunk.hint}\n${chunk.id}`
}
