import type { CorrelationsLayout } from '../../core/table-layout.ts'
import { clusterMeans } from '../../score/statistics/clusters.ts'
import { spearman } from '../../score/statistics/correlation.ts'
import type { RunBenchmarks } from './benchmark-tables.ts'
import { compareText, type Entry, groupBy, groupByKey } from './entries.ts'
import { facetNumber } from './facet-curves.ts'
import { facetOf } from './facets.ts'
import { metricValues } from './measures.ts'
import { metricsOf, type RunScorers } from './metrics.ts'
import type { GroupKey } from './report-group.ts'

/** How the primary metric of one arm depends on facets whose values are numbers, over the tasks with one value of a facet. */
export interface CorrelationRow extends GroupKey {
  /** The id of its layout. */
  readonly id: string
  readonly title: string
  readonly source: string
  /** The facet, and its value; `all` for all tasks. */
  readonly by: string
  readonly value: string
  /** The key of the metric. */
  readonly metric: string
  /** Tasks with a score and a number in every column. */
  readonly n: number
  /** Spearman's rho. Null when one side is the same for all tasks. */
  readonly columns: readonly { readonly head: string; readonly facet: string; readonly rho: number | null }[]
}

/** Computes the correlations that the attempts' benchmarks declare, by facet value and then by arm, all tasks last. */
export function facetCorrelations(
  entries: readonly Entry[],
  benchmarks: RunBenchmarks,
  scorers: RunScorers,
): CorrelationRow[] {
  return Object.entries(benchmarks).flatMap(([name, { layouts }]) => {
    const own = entries.filter(({ attempt }) => attempt.benchmark === name)
    return layouts.flatMap(layout => (layout.kind === 'correlations' ? rowsOf(layout, own, scorers) : []))
  })
}

function rowsOf(
  layout: CorrelationsLayout,
  entries: readonly Entry[],
  scorers: RunScorers,
): CorrelationRow[] {
  const whole = entries.filter(entry =>
    layout.columns.every(({ facet }) => facetNumber(entry, facet) !== null),
  )
  const named = groupBy(whole, ({ attempt }) => facetOf(attempt, layout.by) ?? attempt.domain)
  const groups = [...[...named].sort(([a], [b]) => compareText(a, b)), ['all', whole] as const]
  const rows = groups.flatMap(([value, own]) =>
    groupByKey(own).flatMap(arm => rowOf(layout, value, arm, scorers)),
  )
  return rows.some(({ columns }) => columns.some(({ rho }) => rho !== null)) ? rows : []
}

function rowOf(
  { id, title, source, by, columns }: CorrelationsLayout,
  value: string,
  { key, entries }: ReturnType<typeof groupByKey>[number],
  scorers: RunScorers,
): CorrelationRow[] {
  const { primary } = metricsOf(scorers, key.scorer)
  if (primary === null) return []
  const scores = clusterMeans(metricValues(entries, primary.key))
  const first = new Map(entries.toReversed().map(entry => [entry.attempt.taskId, entry]))
  const tasks = [...scores.keys()]
  const rhoOf = (facet: string): number | null =>
    spearman(
      tasks.map(task => facetNumber(first.get(task)!, facet)!),
      tasks.map(task => scores.get(task)!),
    )
  const cells = columns.map(({ head, facet }) => ({ head, facet, rho: rhoOf(facet) }))
  return [{ ...key, id, title, source, by, value, metric: primary.key, n: tasks.length, columns: cells }]
}
