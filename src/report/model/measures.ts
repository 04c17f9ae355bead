import type { MetricDefinition } from '../../core/metric.ts'
import { bootstrapMean } from '../../score/statistics/bootstrap.ts'
import { type ClusteredValue, clusterMeans, meanOf } from '../../score/statistics/clusters.ts'
import { byDomain, type Entry, isScored } from './entries.ts'
import { recordedValue, worstValue } from './metrics.ts'
import type { Measure } from './report-group.ts'
import { bootstrapMeanOfDomains } from './stratified.ts'

/** Every interval of every report hangs on it: the same records give the same numbers. */
export const bootstrapSeed = 20_250_716

/** The value of the metric with that key; null where the attempt is not scored or the record has none. */
export function metricValue(entry: Entry, key: string): number | null {
  return isScored(entry) ? recordedValue(entry.score, key) : null
}

/** The metric of every scored entry, by task. */
export function metricValues(entries: readonly Entry[], key: string): ClusteredValue[] {
  return entries.flatMap(entry => {
    const value = metricValue(entry, key)
    return value === null ? [] : [{ cluster: entry.attempt.taskId, value }]
  })
}

/** How the entries of a group become one number: over tasks, or the mean of the domains' means. */
export type Pooling = 'tasks' | 'domains'

function pooled(
  entries: readonly Entry[],
  valuesOf: (entries: readonly Entry[]) => ClusteredValue[],
  pooling: Pooling,
): { mean: number; low: number | null; high: number | null } | null {
  if (pooling === 'tasks') return bootstrapMean(valuesOf(entries), bootstrapSeed)
  const domains = byDomain(entries).map(([, group]) => valuesOf(group))
  return bootstrapMeanOfDomains(domains, bootstrapSeed)
}

/** Of a metric that a scoring does not have. */
export const unknownMeasure: Measure = {
  mean: null,
  low: null,
  high: null,
  meanUnscoredAsZero: null,
  meanWithoutInfrastructureFailures: null,
}

/** The mean, its interval and both bounds. */
export function measure(entries: readonly Entry[], metric: MetricDefinition, pooling: Pooling): Measure {
  const values = (some: readonly Entry[]) => metricValues(some, metric.key)
  const worst = worstValue(metric)
  const withWorst = (some: readonly Entry[]) =>
    some.flatMap(entry => {
      const value = isScored(entry) ? metricValue(entry, metric.key) : worst
      return value === null ? [] : [{ cluster: entry.attempt.taskId, value }]
    })
  const undisturbed = entries.filter(entry => entry.score?.infrastructureFailures === 0)
  const main = pooled(entries, values, pooling)
  return {
    mean: main?.mean ?? null,
    low: main?.low ?? null,
    high: main?.high ?? null,
    meanUnscoredAsZero: worst === null ? null : poolMean(entries, withWorst, pooling),
    meanWithoutInfrastructureFailures: poolMean(undisturbed, values, pooling),
  }
}

function poolMean(
  entries: readonly Entry[],
  valuesOf: (entries: readonly Entry[]) => ClusteredValue[],
  pooling: Pooling,
): number | null {
  if (pooling === 'tasks') return clusteredMean(valuesOf(entries))
  const means = byDomain(entries)
    .map(([, group]) => clusteredMean(valuesOf(group)))
    .filter(mean => mean !== null)
  return means.length === 0 ? null : meanOf(means)
}

/** The mean over clusters, each cluster's values averaged first; null for no values. */
export function clusteredMean(values: readonly ClusteredValue[]): number | null {
  return values.length === 0 ? null : meanOf([...clusterMeans(values).values()])
}

/** The mean over tasks of what `read` finds in an entry; entries for which it is unknown are left out. */
export function meanOver(
  entries: readonly Entry[],
  read: (entry: Entry) => number | null,
  pooling: Pooling,
): number | null {
  const values = (some: readonly Entry[]) =>
    some.flatMap(entry => {
      const value = read(entry)
      return value === null ? [] : [{ cluster: entry.attempt.taskId, value }]
    })
  return poolMean(entries, values, pooling)
}

/**
 * As `meanOver`, of what was spent: null, too, where some entries do not know it and the others spent nothing, whose zeros
 * would pass for the cost of all.
 */
export function meanSpent(
  entries: readonly Entry[],
  read: (entry: Entry) => number | null,
  pooling: Pooling,
): number | null {
  const spent = entries.map(read)
  const saysNothing = spent.includes(null) && spent.every(value => value === null || value === 0)
  return saysNothing ? null : meanOver(entries, read, pooling)
}
