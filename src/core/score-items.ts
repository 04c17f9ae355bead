/** The items of a score. Free of schemas, so that the page of a report can use it. */
import type { Score } from './score.ts'
import type { ScoredCell, ScoredItem } from './scored-item.ts'

/** A scored unit of gold of any kind. */
export type Item = ScoredCell | ScoredItem

/** The items of a score: cells of a table, or items of another kind of answer. */
export interface ScoreItems {
  readonly cells: Score['cells']
  readonly items: Score['items']
}

/** Returns the items of a score. For a table these are its cells. */
export function listItems(score: ScoreItems): readonly Item[] {
  return score.cells.length > 0 ? score.cells : score.items
}

/** Returns how many items of a scored attempt have no rating because a judge failed. A turn without a score is one. */
export function unratedItems({
  status,
  counts,
  ...score
}: ScoreItems & { readonly status: Score['status']; readonly counts: Score['counts'] }): number {
  if (status === 'unscored') return 0
  return listItems(score).filter(item => item.score === null).length + (counts.unscoredTurns ?? 0)
}

/** Returns how many items of the gold are right in the answer. */
export function correctItems(score: ScoreItems & { readonly counts: Score['counts'] }): number {
  // Fields of an extraction pass by rules of their own, so their record contains the count.
  return score.counts.passedNodes ?? listItems(score).filter(item => item.score === 1).length
}

/** Returns the id of the gold item that was scored. For a part of a JSON value, it is the beginning of the ids of its values. */
export function identifyGold(item: Item): string {
  if ('goldRow' in item) return JSON.stringify([item.goldRow, item.column])
  return item.path ?? (item.index === undefined ? item.id : String(item.index))
}
