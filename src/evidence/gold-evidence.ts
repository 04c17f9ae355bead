import { type Item, identifyGold, listItems, type ScoreItems } from '../core/score-items.ts'
import type { ScoredItem } from '../core/scored-item.ts'
import type { ItemEvidence } from './matcher.ts'

/** Looks up the evidence of scored items. */
export type EvidenceLookup = (item: Item) => readonly ItemEvidence[]

/**
 * Returns a function that looks up the evidence of a scored item. A JSON field without a value of its own, such as a
 * list scored as a whole, has the evidence of every value below it.
 */
export function createEvidenceLookup(evidence: readonly ItemEvidence[]): EvidenceLookup {
  const byPlace = new Map(evidence.map(entry => [placeOf(entry.turn, entry.id), entry]))
  return item => {
    const id = identifyGold(item)
    const itemEvidence = byPlace.get(placeOf(item.turn, id))
    if (itemEvidence !== undefined) return [itemEvidence]
    if (!isField(item)) return []
    return evidence.filter(entry => (entry.turn ?? 0) === (item.turn ?? 0) && entry.id.startsWith(`${id}.`))
  }
}

const placeOf = (turn: number | undefined, id: string): string => `${turn ?? 0} ${id}`

const isField = (item: Item): item is ScoredItem => 'path' in item

/** The evidence of the items that the answer got right. */
export function listCorrectEvidence(evidence: readonly ItemEvidence[], score: ScoreItems): ItemEvidence[] {
  const partsOf = createEvidenceLookup(evidence)
  const correct = new Set(listItems(score).flatMap(item => (item.score === 1 ? partsOf(item) : [])))
  return evidence.filter(entry => correct.has(entry))
}

/** Returns the column of an item, or the last name in its path. */
export function nameColumn(item: Item): string {
  if ('column' in item) return item.column
  return item.path?.split('.').findLast(part => /\D/.test(part)) ?? ''
}
