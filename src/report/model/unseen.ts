import { goldIdOf, type Item, itemsOf } from '../../core/score.ts'
import { byDomain, type Entry, groupBy, groupByKey, isScored } from './entries.ts'
import { clusteredMean } from './measures.ts'
import type { UnseenRow } from './report-rows.ts'

const closedBook = 'closed-book'

/**
 * Computes the share of items that each arm answered correctly without having been shown them. Also counts
 * how many of those the same model answers correctly closed-book, from memory. Counts only attempts whose
 * records say what the model was shown.
 */
export function unseenRows(entries: readonly Entry[]): UnseenRow[] {
  const remembered = rememberedItems(entries)
  return groupByKey(entries).flatMap(({ key, entries: own }) =>
    key.setting === closedBook
      ? []
      : [...byDomain(own), ['all', own] as const].flatMap(([domain, group]) => {
          const figures = unseenFigures(group, remembered)
          return figures === null ? [] : [{ ...key, domain, ...figures }]
        }),
  )
}

/** The items of each task that a model answered correctly closed-book, in any trial, by `taskOf`. */
type Remembered = ReadonlyMap<string, ReadonlySet<string>>

function rememberedItems(entries: readonly Entry[]): Remembered {
  const own = entries.filter(isScored).filter(({ key }) => key.setting === closedBook)
  const byTask = groupBy(own, taskOf)
  return new Map(
    [...byTask].map(([task, group]) => [
      task,
      new Set(group.flatMap(({ score }) => unseenItems(score).map(placeOf))),
    ]),
  )
}

/** Returns the correct items that the model was never shown. Closed-book, these are all correct items. */
const unseenItems = (score: Parameters<typeof itemsOf>[0]): Item[] =>
  itemsOf(score).filter(({ unseen }) => unseen === true)

const placeOf = (item: Item): string => `${item.turn ?? 0} ${goldIdOf(item)}`

const taskOf = ({ attempt, key }: Entry): string =>
  JSON.stringify([attempt.taskId, key.model, key.profile, key.judge])

function unseenFigures(
  entries: readonly Entry[],
  remembered: Remembered,
): Pick<UnseenRow, 'n' | 'share' | 'alsoClosedBook'> | null {
  const known = entries.filter(isScored).filter(({ score }) => score.unseenItems !== undefined)
  const shares = known.flatMap(({ score, attempt }) => {
    const items = itemsOf(score).filter(item => item.score !== null).length
    return items === 0 ? [] : [{ cluster: attempt.taskId, value: (score.unseenItems ?? 0) / items }]
  })
  const share = clusteredMean(shares)
  if (share === null) return null
  const compared = known.flatMap(entry => {
    const right = remembered.get(taskOf(entry))
    return right === undefined ? [] : unseenItems(entry.score).map(item => right.has(placeOf(item)))
  })
  const alsoClosedBook =
    compared.length === 0 ? null : compared.filter(isRight => isRight).length / compared.length
  return { n: known.length, share, alsoClosedBook }
}
