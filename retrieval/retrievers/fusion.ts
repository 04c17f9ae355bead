import type { Chunk } from '../../src/core/document.ts'

/** The constant of the paper that introduced the method (Cormack, Clarke and Buettcher, 2009). */
const rankOffset = 60

/** Reciprocal rank fusion: a chunk's score is the sum of 1 / (60 + rank) over the rankings it stands in; ties by first seen. */
export function fuseRankings(rankings: readonly (readonly Chunk[])[], limit: number): Chunk[] {
  const scores = new Map<string, { chunk: Chunk; score: number }>()
  for (const ranking of rankings) {
    ranking.forEach((chunk, rank) => {
      const key = `${chunk.hint}\n${chunk.id}`
      const entry = scores.get(key) ?? { chunk, score: 0 }
      entry.score += 1 / (rankOffset + rank + 1)
      scores.set(key, entry)
    })
  }
  return [...scores.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(entry => entry.chunk)
}
