import { type CellClass, cellClasses, type Score } from '../core/score.ts'
import { byDomain, type Entry, groupByKey, isScored } from './entries.ts'
import { clusteredMean } from './measures.ts'
import type { GroupKey, WaterfallRow } from './report.ts'

interface Losses {
  readonly cluster: string
  readonly recall: number
  readonly classes: ReadonlyMap<CellClass, number>
}

/** Each cell's loss by its class, as shares of the gold cells; null where the ledger has not classed every cell. */
function lossesOf(score: Score, cluster: string): Losses | null {
  if (score.cells.length === 0) return null
  const classes = new Map<CellClass, number>()
  let reached = 0
  for (const cell of score.cells) {
    if (cell.class === null || cell.score === null) return null
    reached += cell.score
    if (cell.class === 'correct') continue
    const loss = (1 - cell.score) / score.cells.length
    classes.set(cell.class, (classes.get(cell.class) ?? 0) + loss)
  }
  return { cluster, recall: reached / score.cells.length, classes }
}

function rowOf(key: GroupKey, domain: string, entries: readonly Entry[]): WaterfallRow | null {
  const losses = entries.filter(isScored).flatMap(entry => lossesOf(entry.score, entry.attempt.taskId) ?? [])
  const mean = (read: (one: Losses) => number): number | null =>
    clusteredMean(losses.map(one => ({ cluster: one.cluster, value: read(one) })))
  const recall = mean(one => one.recall)
  if (recall === null) return null
  const classes: Partial<Record<CellClass, number>> = {}
  for (const name of cellClasses) {
    const share = name === 'correct' ? null : mean(one => one.classes.get(name) ?? 0)
    if (share !== null && share > 0) classes[name] = share
  }
  const { setting, model, variant, profile, judge } = key
  return { setting, domain, model, variant, profile, judge, n: losses.length, recall, classes }
}

/** What became of every gold cell: cell recall, and what each class of the loss ledger took of the rest. */
export function waterfallRows(entries: readonly Entry[]): WaterfallRow[] {
  return groupByKey(entries).flatMap(({ key, entries: own }) =>
    [...byDomain(own), ['all', own] as const].flatMap(([domain, group]) => rowOf(key, domain, group) ?? []),
  )
}
