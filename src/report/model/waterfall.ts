import { areSameOptions, withoutOptions } from '../../core/arm.ts'
import { itemsOf, type Score } from '../../core/score.ts'
import { type CellClass, cellClasses } from '../../core/scored-item.ts'
import { byDomain, type Entry, groupByKey, isScored } from './entries.ts'
import { clusteredMean } from './measures.ts'
import type { GroupKey } from './report-group.ts'
import type { LossClass, WaterfallRow } from './report-rows.ts'

/** The classes of lost items, in the order of the loss ledger. */
export const lossClasses: readonly LossClass[] = [
  ...cellClasses.filter((name): name is Exclude<CellClass, 'correct'> => name !== 'correct'),
  'unknown',
]

/** The recall of one attempt, and the share of gold items lost to each class. They add up to 1. */
export interface Losses {
  readonly recall: number
  /** `unknown` contains losses that cannot be classified, because the evidence or the documents are unknown. */
  readonly classes: ReadonlyMap<LossClass, number>
}

/**
 * Adds up the losses of an answer by class, as shares of the gold items. Items on which a judge failed are left out, as
 * in recall. Returns null when no item is left.
 */
export function lossesOf(score: Pick<Score, 'cells' | 'items'>): Losses | null {
  const items = itemsOf(score).filter(item => item.score !== null)
  if (items.length === 0) return null
  const classes = new Map<LossClass, number>()
  let reached = 0
  for (const { score: credit, class: name } of items) {
    if (credit === null) continue
    reached += credit
    if (name === 'correct' || credit >= 1) continue
    const known = name ?? 'unknown'
    classes.set(known, (classes.get(known) ?? 0) + (1 - credit) / items.length)
  }
  return { recall: reached / items.length, classes }
}

function rowOf(key: GroupKey, domain: string, entries: readonly Entry[]): WaterfallRow | null {
  const losses = entries.filter(isScored).flatMap(({ score, attempt }) => {
    const own = lossesOf(score)
    return own === null ? [] : [{ ...own, cluster: attempt.taskId }]
  })
  const mean = (read: (one: Losses) => number): number | null =>
    clusteredMean(losses.map(one => ({ cluster: one.cluster, value: read(one) })))
  const recall = mean(one => one.recall)
  if (recall === null) return null
  const classes: Partial<Record<LossClass, number>> = {}
  for (const name of lossClasses) {
    const share = mean(one => one.classes.get(name) ?? 0)
    if (share !== null && share > 0) classes[name] = share
  }
  const { setting, model, options, scorer, judge } = key
  return { setting, domain, model, options, scorer, judge, n: losses.length, recall, classes }
}

/** Computes where each arm lost gold items: recall, and the share of each class of the loss ledger. */
export function waterfallRows(entries: readonly Entry[]): WaterfallRow[] {
  const rows = groupByKey(entries).flatMap(({ key, entries: own }) =>
    [...byDomain(own), ['all', own] as const].flatMap(([domain, group]) => rowOf(key, domain, group) ?? []),
  )
  return rows.map(row => {
    const control = row.setting === 'online' ? rows.find(other => isFoundOnlyOf(other, row)) : undefined
    return control === undefined ? row : { ...row, foundOnly: control.recall }
  })
}

/** Whether a row is the found-only control of an online row: same options, apart from the control and the cut. */
function isFoundOnlyOf(control: WaterfallRow, online: WaterfallRow): boolean {
  return (
    control.options.control === 'found-only' &&
    areSameOptions(withoutOptions(control.options, ['control', 'cut']), online.options) &&
    control.domain === online.domain &&
    control.model === online.model &&
    control.scorer === online.scorer &&
    control.judge === online.judge
  )
}
