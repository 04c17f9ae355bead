import { type Arm, isSameArm } from '../../core/arm.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { clusterMeans, meanOf } from '../../score/statistics/clusters.ts'
import { byDomain, type Entry } from '../model/entries.ts'
import { metricValues } from '../model/measures.ts'
import { inUnits } from '../tables/metric-text.ts'

/** Returns the change of a row in a metric against its base row, for a domain, in the metric's printed unit. */
export type Change = (domain: string, metric: MetricDefinition) => number

/** Averages the change over the tasks with a value on both sides. Returns null when there is no such task. */
function changeOver(
  after: readonly Entry[],
  before: readonly Entry[],
  metric: MetricDefinition,
): number | null {
  const earlier = clusterMeans(metricValues(before, metric.key))
  const changes = [...clusterMeans(metricValues(after, metric.key))].flatMap(([task, value]) => {
    const base = earlier.get(task)
    return base === undefined ? [] : [inUnits(metric, value - base)]
  })
  return changes.length === 0 ? null : meanOf(changes)
}

/** Compares the entries of a row with those of its base row. `allByDomain` is the mean of the domains' changes. */
export function changesFrom(row: Arm, base: Arm, entries: readonly Entry[]): Change {
  const before = entriesOf(base, entries)
  const domains = new Map(byDomain(entriesOf(row, entries)))
  return (domain, metric) => {
    const names = domain === 'allByDomain' ? [...domains.keys()] : [domain]
    const changes = names.flatMap(name => changeOver(domains.get(name) ?? [], before, metric) ?? [])
    return changes.length === 0 ? 0 : meanOf(changes)
  }
}

function entriesOf(arm: Arm, entries: readonly Entry[]): Entry[] {
  return entries.filter(({ key }) => isSameArm(key, arm))
}
