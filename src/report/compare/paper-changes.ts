import { clusterMeans, meanOf } from '../../score/statistics/clusters.ts'
import { byDomain, type Entry, isScored } from '../model/entries.ts'
import { metricValues } from '../model/measures.ts'
import { type MetricKey, type MetricLabel, metrics } from '../model/metrics.ts'

/** What a paper's table shows: a metric by its label, or the score that a judge gives a table. */
export type MetricName = 'LLM score' | MetricLabel

/** The key of a metric by its label. */
export function keyOf(label: MetricLabel): MetricKey {
  return metrics.find(metric => metric.label === label)!.key
}

/** A row's change in a metric against the row that it is compared with, by domain, in points. */
export type Change = (domain: string, metric: MetricName) => number

/** Whose attempts a row of a paper table is made of. */
interface RowKey {
  readonly setting: string
  readonly variant: string
  readonly model: string
}

function taskMeans(entries: readonly Entry[], metric: MetricName): Map<string, number> {
  if (metric !== 'LLM score') return clusterMeans(metricValues(entries, keyOf(metric)))
  const rated = entries.filter(isScored).flatMap(({ attempt, score }) => {
    const value = score.overall?.mean ?? null
    return value === null ? [] : [{ cluster: attempt.taskId, value: value / 100 }]
  })
  return clusterMeans(rated)
}

/** Paired over the tasks that both sides have a value for, trials averaged within a task first; null without one. */
function changeOver(after: readonly Entry[], before: readonly Entry[], metric: MetricName): number | null {
  const earlier = taskMeans(before, metric)
  const changes = [...taskMeans(after, metric)].flatMap(([task, value]) => {
    const base = earlier.get(task)
    return base === undefined ? [] : [100 * (value - base)]
  })
  return changes.length === 0 ? null : meanOf(changes)
}

/** The changes of a row's entries against another's; `allByDomain` is the mean of the domains' own. */
export function changesFrom(row: RowKey, base: RowKey, entries: readonly Entry[]): Change {
  const before = entriesOf(base, entries)
  const domains = new Map(byDomain(entriesOf(row, entries)))
  return (domain, metric) => {
    const names = domain === 'allByDomain' ? [...domains.keys()] : [domain]
    const changes = names.flatMap(name => changeOver(domains.get(name) ?? [], before, metric) ?? [])
    return changes.length === 0 ? 0 : meanOf(changes)
  }
}

function entriesOf({ setting, variant, model }: RowKey, entries: readonly Entry[]): Entry[] {
  return entries.filter(
    ({ key }) => key.setting === setting && key.variant === variant && key.model === model,
  )
}
