import type { RagControlName } from '../../../core/controls.ts'
import type { Chunk } from '../../../core/document.ts'
import { seededRandom } from '../../../core/runtime.ts'
import type { ItemEvidence } from '../../../evidence/matcher.ts'
import type { EvidenceNeedle, TextIndexes } from '../../../evidence/text-index.ts'

/** The chunks that a control chooses from, and what it may use to choose. */
interface ControlInput {
  /** Every chunk of the task's documents, in the order of documents and text. */
  readonly chunks: readonly Chunk[]
  /** The retrieved chunks, best first. */
  readonly retrieved: readonly Chunk[]
  readonly evidence: readonly ItemEvidence[]
  readonly indexes: TextIndexes
  /** Equal for the same task, trial and seed of the run. */
  readonly seed: number
}

/**
 * The controls of the rag setting: each orders chunks, which then fill a context of the same size as that of the retrieved
 * chunks. They may use gold; the setting receives plain chunks.
 */
export const ragControlOrders: Readonly<Record<RagControlName, (input: ControlInput) => readonly Chunk[]>> = {
  oracle: orderEvidenceFirst,
  random: orderRandomly,
}

/** Returns all chunks of the task's documents in a random order that depends on the seed only. */
function orderRandomly({ chunks, seed }: ControlInput): readonly Chunk[] {
  const random = seededRandom(seed)
  const drawn = [...chunks]
  for (let last = drawn.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1))
    const chunk = drawn[last]!
    drawn[last] = drawn[at]!
    drawn[at] = chunk
  }
  return drawn
}

/**
 * Orders chunks so that a context as long as the retriever's contains all evidence. First comes a small set of chunks that
 * covers the evidence of every cell, then the other chunks with evidence, then the retrieved ones.
 */
function orderEvidenceFirst({ chunks, retrieved, evidence, indexes }: ControlInput): readonly Chunk[] {
  const holders = findHolders(chunks, evidence, indexes)
  const covering = cover(chunks, holders)
  const holding = new Set(holders.flatMap(places => [...places]))
  const further = [...holding].sort((a, b) => a - b).map(at => chunks[at]!)
  return [...new Set([...covering, ...further, ...retrieved])]
}

/** Returns, for each piece of evidence, the places of the chunks that contain it. */
function findHolders(
  chunks: readonly Chunk[],
  evidence: readonly ItemEvidence[],
  indexes: TextIndexes,
): ReadonlySet<number>[] {
  const placesByNeedle = new Map<EvidenceNeedle, Map<string | null, ReadonlySet<number>>>()
  const find = (needle: EvidenceNeedle, hint: string | null): ReadonlySet<number> => {
    const byHint = placesByNeedle.get(needle) ?? new Map<string | null, ReadonlySet<number>>()
    placesByNeedle.set(needle, byHint)
    const places = byHint.get(hint) ?? findPlaces(chunks, needle, hint, indexes)
    byHint.set(hint, places)
    return places
  }
  return evidence.flatMap(cell => {
    const alternatives = cell.alternatives.map(needles => needles.map(needle => find(needle, cell.hint)))
    return alternatives.find(needles => needles.every(places => places.size > 0)) ?? []
  })
}

function findPlaces(
  chunks: readonly Chunk[],
  needle: EvidenceNeedle,
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
