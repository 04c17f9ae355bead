import type { Chunk } from '../../../core/document.ts'
import type { ItemEvidence } from '../../../evidence/matcher.ts'
import type { TextIndexes } from '../../../evidence/text-index.ts'
import type { ControlInput } from './control.ts'

type Needle = ItemEvidence['alternatives'][number][number]

/**
 * Orders chunks so that a context as long as the retriever's contains all evidence. First comes a small set of chunks that
 * covers the evidence of every cell, then the other chunks with evidence, then the retrieved ones.
 */
export function orderEvidenceFirst({ chunks, retrieved, evidence, indexes }: ControlInput): readonly Chunk[] {
  const holders = holdersOf(chunks, evidence, indexes)
  const covering = cover(chunks, holders)
  const holding = new Set(holders.flatMap(found => [...found]))
  const others = [...holding].sort((a, b) => a - b).map(at => chunks[at]!)
  return [...new Set([...covering, ...others, ...retrieved])]
}

/** Returns, for each piece of evidence, the places of the chunks that contain it. */
function holdersOf(
  chunks: readonly Chunk[],
  evidence: readonly ItemEvidence[],
  indexes: TextIndexes,
): ReadonlySet<number>[] {
  const known = new Map<Needle, Map<string | null, ReadonlySet<number>>>()
  const find = (needle: Needle, hint: string | null): ReadonlySet<number> => {
    const byHint = known.get(needle) ?? new Map<string | null, ReadonlySet<number>>()
    known.set(needle, byHint)
    const found = byHint.get(hint) ?? placesOf(chunks, needle, hint, indexes)
    byHint.set(hint, found)
    return found
  }
  return evidence.flatMap(cell => {
    const alternatives = cell.alternatives.map(needles => needles.map(needle => find(needle, cell.hint)))
    return alternatives.find(found => found.every(places => places.size > 0)) ?? []
  })
}

function placesOf(
  chunks: readonly Chunk[],
  needle: Needle,
  hint: string | null,
  indexes: TextIndexes,
): ReadonlySet<number> {
  const places = new Set<number>()
  chunks.forEach((chunk, at) => {
    if ((hint === null || chunk.hint === hint) && indexes(chunk.text).has(needle)) places.add(at)
  })
  return places
}

/** Greedy set cover: repeatedly takes the chunk with the most missing evidence, the first of several equal ones. */
function cover(chunks: readonly Chunk[], holders: readonly ReadonlySet<number>[]): Chunk[] {
  const chosen: Chunk[] = []
  let lacking = holders
  while (lacking.length > 0) {
    const gains = new Map<number, number>()
    for (const places of lacking) for (const at of places) gains.set(at, (gains.get(at) ?? 0) + 1)
    let best = -1
    for (const [at, gain] of gains) {
      const most = gains.get(best) ?? 0
      if (gain > most || (gain === most && at < best)) best = at
    }
    chosen.push(chunks[best]!)
    lacking = lacking.filter(places => !places.has(best))
  }
  return chosen
}
