/** The items of a score. Free of schemas, so that the page of a report can use it. */

import type { TableGold } from './gold.ts'
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

/** Returns the first score of each attempt, by the attempt's id. */
export function mapFirstScores<T extends { readonly attemptId: string }>(
  scores: readonly T[],
): ReadonlyMap<string, T> {
  return new Map(scores.toReversed().map(score => [score.attemptId, score]))
}

/** Names a gold item among all questions of its task: by its id, and by its question in a conversation. */
export function placeOfItem(id: string, turn: number | undefined): string {
  return turn === undefined ? id : `${turn + 1}: ${id}`
}

/** The gold items that are right in one of two scores alone. */
export interface RightItemChanges {
  readonly regained: readonly Item[]
  readonly lost: readonly Item[]
}

/** Returns the gold items that are right in one of two scores alone; none unless both are scored. */
export function compareRight(before: Score | null | undefined, after: Score | undefined): RightItemChanges {
  if (before?.status !== 'scored' || after?.status !== 'scored') return { regained: [], lost: [] }
  const mapRight = (score: Score): ReadonlyMap<string, Item> =>
    new Map(
      listItems(score)
        .filter(item => item.score === 1)
        .map(item => [placeOfItem(identifyGold(item), item.turn), item]),
    )
  const [earlier, later] = [mapRight(before), mapRight(after)]
  return {
    regained: [...later].flatMap(([place, item]) => (earlier.has(place) ? [] : [item])),
    lost: [...earlier].flatMap(([place, item]) => (later.has(place) ? [] : [item])),
  }
}

/** Returns the keys of a row of a gold table; its number when the gold is not available. */
export function readGoldKeys(row: number, gold: TableGold | null): string[] {
  return gold === null ? [String(row + 1)] : gold.keyColumns.map(key => String(gold.rows[row]?.[key] ?? ''))
}

/** Names the row of a gold table by its keys; by its number when the gold is not available. */
export function nameGoldRow(row: number, gold: TableGold | null): string {
  return readGoldKeys(row, gold).join(' / ')
}

/** Names a gold item for people: `Alder / 2024, beds`, `row 2, beds` when the gold is not available, or its id. */
export function nameItem(item: Item, gold: TableGold | null): string {
  const name =
    'goldRow' in item
      ? `${gold === null ? 'row ' : ''}${nameGoldRow(item.goldRow, gold)}, ${item.column}`
      : identifyGold(item)
  return placeOfItem(name, item.turn)
}

/** Returns the id of the gold item that was scored. For a part of a JSON value, it is the beginning of the ids of its values. */
export function identifyGold(item: Item): string {
  if ('goldRow' in item) return JSON.stringify([item.goldRow, item.column])
  return item.path ?? (item.index === undefined ? item.id : String(item.index))
}
