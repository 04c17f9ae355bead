import { itemsOf } from '../../core/score.ts'
import { goldIdOf, type Item } from '../../core/scored-item.ts'
import { type Entry, groupBy, isScored } from './entries.ts'
import type { FindabilityRow } from './report-rows.ts'
import { scoringOf } from './scorings.ts'

/** The setting without documents. Its correct answers say nothing about the documents. */
const closedBook = 'closed-book'

/**
 * Computes how often the search for evidence was wrong, for each scoring. An item that any attempt with documents
 * answers correctly is findable by definition. So an item without evidence in one attempt that is correct in another
 * was missed by the search.
 */
export function findabilityRows(entries: readonly Entry[]): FindabilityRow[] {
  const own = entries.filter(isScored).filter(({ key }) => key.setting !== closedBook)
  const scorings = groupBy(own, ({ key }) => scoringOf(key))
  return [...scorings.values()].flatMap(group => {
    const [first] = group
    return first === undefined ? [] : [rowOf(group, first.key)]
  })
}

function rowOf(
  entries: readonly (Entry & { readonly score: Parameters<typeof itemsOf>[0] })[],
  { scorer, judge }: Entry['key'],
): FindabilityRow {
  const placesOf = (isCounted: (item: Item) => boolean): Set<string> =>
    new Set(
      entries.flatMap(({ attempt, score }) =>
        itemsOf(score)
          .filter(isCounted)
          .map(item => JSON.stringify([attempt.taskId, item.turn ?? 0, goldIdOf(item)])),
      ),
    )
  const unfindable = placesOf(item => item.class === 'no-evidence')
  const correct = unfindable.size === 0 ? unfindable : placesOf(item => item.class === 'correct')
  const missed = [...unfindable].filter(place => correct.has(place))
  return {
    scorer,
    judge,
    items: placesOf(() => true).size,
    unfindable: unfindable.size,
    correctElsewhere: missed.length,
    errorRate: unfindable.size === 0 ? null : missed.length / unfindable.size,
    unread: placesOf(item => item.class === 'unread').size,
  }
}
