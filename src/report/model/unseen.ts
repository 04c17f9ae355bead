import type { Attempt } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import { type Item, identifyGold, listItems, placeOfItem } from '../../core/score-items.ts'
import type { ReportArms } from './arms.ts'
import { type Entry, groupByDomain, groupByKey, isScored } from './entries.ts'
import { averageClusters } from './measures.ts'
import type { GroupKey } from './report-group.ts'
import type { FindabilityRow, UnseenRow } from './report-rows.ts'
import { nameScoring } from './scorings.ts'
import { filterFirstScoring } from './termination-rows.ts'

const closedBook = 'closed-book'

/**
 * Computes the share of items that each arm answered correctly without having been shown them. Also counts
 * how many of those the same model answers correctly closed-book, from memory. Counts only attempts whose
 * records say what the model was shown.
 */
export function listUnseenRows(entries: readonly Entry[]): UnseenRow[] {
  const remembered = countRemembered(entries)
  return groupByKey(entries).flatMap(({ key, entries: armEntries }) =>
    key.setting === closedBook
      ? []
      : [...groupByDomain(armEntries), ['all', armEntries] as const].flatMap(([domain, group]) => {
          const figures = measureUnseen(group, remembered)
          return figures === null ? [] : [{ ...key, domain, ...figures }]
        }),
  )
}

/** The items of each task that a model answered correctly closed-book, in any trial, by `readTaskId`. */
type Remembered = ReadonlyMap<string, ReadonlySet<string>>

function countRemembered(entries: readonly Entry[]): Remembered {
  const closedBookEntries = entries.filter(isScored).filter(({ key }) => key.setting === closedBook)
  const byTask = groupBy(closedBookEntries, readTaskId)
  return new Map(
    [...byTask].map(([task, group]) => [
      task,
      new Set(group.flatMap(({ score }) => listUnseenItems(score).map(placeOf))),
    ]),
  )
}

/** Returns the correct items that the model was never shown. Closed-book, these are all correct items. */
const listUnseenItems = (score: Parameters<typeof listItems>[0]): Item[] =>
  listItems(score).filter(({ unseen }) => unseen === true)

const placeOf = (item: Item): string => placeOfItem(identifyGold(item), item.turn)

const readTaskId = ({ attempt, key }: Entry): string =>
  JSON.stringify([attempt.taskId, key.model, key.scorer, key.judge])

function measureUnseen(
  entries: readonly Entry[],
  remembered: Remembered,
): Omit<UnseenRow, keyof GroupKey | 'domain'> | null {
  const answers = entries.filter(isScored).filter(({ score }) => score.unseenItems !== undefined)
  const shares = answers.flatMap(({ score, attempt }) => {
    const items = listItems(score).filter(item => item.score !== null).length
    return items === 0 ? [] : [{ cluster: attempt.taskId, value: (score.unseenItems ?? 0) / items }]
  })
  const share = averageClusters(shares)
  if (share === null) return null
  const compared = answers.flatMap(entry => {
    const right = remembered.get(readTaskId(entry))
    return right === undefined ? [] : listUnseenItems(entry.score).map(item => right.has(placeOf(item)))
  })
  const alsoClosedBook =
    compared.length === 0 ? null : compared.filter(isRight => isRight).length / compared.length
  const correct = answers.flatMap(({ score }) => listItems(score)).filter(item => item.score === 1).length
  const unseen = answers.reduce((sum, { score }) => sum + (score.unseenItems ?? 0), 0)
  const shareOfCorrect = correct === 0 ? null : unseen / correct
  return { n: answers.length, share, shareOfCorrect, alsoClosedBook }
}

/** The notes of a report mention unseen items when they are at least this share of the correct items. */
const leastNoted = 0.05

/**
 * Warns about arms with many correct items that the model was never shown, and about online attempts that earned credit
 * without a search or a fetch.
 *
 * @returns notes without a final full stop
 */
export function listUnseenNotes(
  rows: readonly UnseenRow[],
  entries: readonly Entry[],
  arms: ReportArms,
): string[] {
  const ofScoring = filterFirstScoring(entries)
  const scoring = ofScoring[0]?.key
  const noted = rows.filter(
    row =>
      row.domain === 'all' &&
      row.scorer === scoring?.scorer &&
      row.judge === scoring.judge &&
      (row.shareOfCorrect ?? 0) >= leastNoted,
  )
  return [
    ...noted.map(row => writeUnseenNote(row, arms.nameOf(row))),
    ...groupByKey(ofScoring).flatMap(({ key, entries: armEntries }) =>
      listToollessNotes(armEntries, arms.nameOf(key)),
    ),
  ]
}

const formatPercent = (share: number | null): string => (100 * (share ?? 0)).toFixed(1)

function writeUnseenNote({ shareOfCorrect, alsoClosedBook }: UnseenRow, arm: string): string {
  const shown = `${arm}: the model was never shown ${formatPercent(shareOfCorrect)}% of the items that it has right`
  if (alsoClosedBook === null)
    return `${shown}. Add closed-book to --setting to see how many it answers without documents`
  // A share that is printed as 0.0 says nothing.
  return Number(formatPercent(alsoClosedBook)) === 0
    ? shown
    : `${shown}. ${formatPercent(alsoClosedBook)}% of these are also correct closed-book`
}

function listToollessNotes(entries: readonly Entry[], arm: string): string[] {
  // A control that continues an online attempt need not search again. Tools without a charge are not counted.
  const isSearching = ({ setting, options }: GroupKey): boolean =>
    setting === 'online' && !('control' in options) && options['mcp-charge'] !== 'none'
  const scored = entries.filter(isScored).filter(({ key }) => isSearching(key))
  // What a fork replays is not in its own usage.
  const isWithout = ({ usage, fork }: Attempt, kind: 'fetchCalls' | 'searchCalls'): boolean =>
    usage[kind] === 0 && (fork?.replayed[kind] ?? 0) === 0
  const toolless = scored.filter(
    ({ attempt, score }) =>
      isWithout(attempt, 'searchCalls') &&
      isWithout(attempt, 'fetchCalls') &&
      listItems(score).some(item => item.score === 1),
  )
  if (toolless.length === 0) return []
  return [
    `${arm}: ${toolless.length} of ${scored.length} scored attempts made no search and no fetch, and still have right items. The model did not look them up`,
  ]
}

/**
 * Computes how often the search for evidence was wrong, for each scoring. An item that any attempt with documents
 * answers correctly is findable by definition. So an item without evidence in one attempt that is correct in another
 * was missed by the search.
 */
export function listFindabilityRows(entries: readonly Entry[]): FindabilityRow[] {
  const toolEntries = entries.filter(isScored).filter(({ key }) => key.setting !== 'closed-book')
  const scorings = groupBy(toolEntries, ({ key }) => nameScoring(key))
  return [...scorings.values()].flatMap(group => {
    const [first] = group
    return first === undefined ? [] : [makeFindabilityRow(group, first.key)]
  })
}

function makeFindabilityRow(
  entries: readonly (Entry & { readonly score: Parameters<typeof listItems>[0] })[],
  { scorer, judge }: Entry['key'],
): FindabilityRow {
  const placesOf = (isCounted: (item: Item) => boolean): Set<string> =>
    new Set(
      entries.flatMap(({ attempt, score }) =>
        listItems(score)
          .filter(isCounted)
          .map(item => JSON.stringify([attempt.taskId, item.turn ?? 0, identifyGold(item)])),
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
