import type { MetricDefinition } from '../../core/metric.ts'
import { averageKnown, type ClusteredValue, groupClusters } from '../../score/statistics/clusters.ts'
import {
  computeMeanInterval,
  computeStrataInterval,
  type MeanInterval,
} from '../../score/statistics/intervals.ts'
import { type Entry, groupByDomain, isScored } from './entries.ts'
import { findWorstValue, readRecordedValue } from './metrics.ts'
import type { Measure } from './report-group.ts'

/** Returns a metric of a scored attempt, or null when the attempt is unscored or its record lacks the metric. */
export function readMetric(entry: Entry, key: string): number | null {
  return isScored(entry) ? readRecordedValue(entry.score, key) : null
}

/** Returns a metric of every scored entry, clustered by task, with the component of the task. */
export function listMetricValues(entries: readonly Entry[], key: string): ClusteredValue[] {
  return entries.flatMap(entry => {
    const value = readMetric(entry, key)
    return value === null ? [] : [makeClusteredValue(entry, value)]
  })
}

/** Makes the value of an entry one of its task. */
export function makeClusteredValue({ attempt, component }: Entry, value: number): ClusteredValue {
  return { cluster: attempt.taskId, component, value }
}

/** How the entries of a group are averaged: over tasks, or as the mean of the domains' means. */
export type Pooling = 'tasks' | 'domains'

function poolValues(
  entries: readonly Entry[],
  { key, range }: MetricDefinition,
  pooling: Pooling,
): MeanInterval | null {
  if (pooling === 'tasks') return computeMeanInterval(listMetricValues(entries, key), range)
  const domains = groupByDomain(entries).map(([, group]) => listMetricValues(group, key))
  return computeStrataInterval(domains, range)
}

/** The measure of a metric that a scoring does not have. */
export const unknownMeasure: Measure = {
  mean: null,
  low: null,
  high: null,
  meanUnscoredAsZero: null,
  bounds: null,
  meanWithoutInfrastructureFailures: null,
}

/** Computes the mean of a metric with its interval and both bounds. */
export function measure(entries: readonly Entry[], metric: MetricDefinition, pooling: Pooling): Measure {
  const values = (group: readonly Entry[]) => listMetricValues(group, metric.key)
  const worst = findWorstValue(metric)
  const withWorst = (group: readonly Entry[]) =>
    group.flatMap(entry => {
      const value = isScored(entry) ? readBound(entry, metric.key, pickWorstSide(metric)) : worst
      return value === null ? [] : [makeClusteredValue(entry, value)]
    })
  const undisturbed = entries.filter(entry => entry.score?.infrastructureFailures === 0)
  const main = poolValues(entries, metric, pooling)
  return {
    mean: main?.mean ?? null,
    low: main?.low ?? null,
    high: main?.high ?? null,
    ...(main?.unseenShare === undefined ? {} : { unseenShare: main.unseenShare }),
    meanUnscoredAsZero: worst === null ? null : poolMean(entries, withWorst, pooling),
    bounds: meanBounds(entries, metric.key, pooling),
    meanWithoutInfrastructureFailures: poolMean(undisturbed, values, pooling),
  }
}

const pickWorstSide = ({ better }: MetricDefinition): keyof Bounds => (better === 'higher' ? 'low' : 'high')

type Bounds = NonNullable<Measure['bounds']>

/** Returns a metric of a scored attempt with every item without a rating counted as wrong (`low`) or right (`high`). */
function readBound(entry: Entry, key: string, side: keyof Bounds): number | null {
  return entry.score?.bounds?.[key]?.[side] ?? readMetric(entry, key)
}

/** Bounds the mean of a metric for items that a judge did not rate. Returns null when none could move it. */
export function meanBounds(entries: readonly Entry[], key: string, pooling: Pooling): Measure['bounds'] {
  if (entries.every(({ score }) => score?.bounds?.[key] === undefined)) return null
  const mean = (side: keyof Bounds) =>
    meanOver(entries, entry => (isScored(entry) ? readBound(entry, key, side) : null), pooling)
  const [low, high] = [mean('low'), mean('high')]
  return low === null || high === null || low === high ? null : { low, high }
}

function poolMean(
  entries: readonly Entry[],
  valuesOf: (entries: readonly Entry[]) => ClusteredValue[],
  pooling: Pooling,
): number | null {
  if (pooling === 'tasks') return averageClusters(valuesOf(entries))
  return averageKnown(groupByDomain(entries).map(([, group]) => averageClusters(valuesOf(group))))
}

/** Averages the values of each cluster, then the clusters. Returns null for no values. */
export function averageClusters(values: readonly ClusteredValue[]): number | null {
  return averageKnown(groupClusters(values).map(({ mean }) => mean))
}

/** Averages over tasks what `read` returns for each entry. Entries for which it returns null are left out. */
export function meanOver(
  entries: readonly Entry[],
  readValue: (entry: Entry) => number | null,
  pooling: Pooling,
): number | null {
  const values = (group: readonly Entry[]) =>
    group.flatMap(entry => {
      const value = readValue(entry)
      return value === null ? [] : [makeClusteredValue(entry, value)]
    })
  return poolMean(entries, values, pooling)
}

/**
 * Averages spending as `meanOver` does. Also returns null when some entries are unknown and all others spent nothing,
 * because those zeros would otherwise look like the cost of all attempts.
 */
export function meanSpent(
  entries: readonly Entry[],
  readValue: (entry: Entry) => number | null,
  pooling: Pooling,
): number | null {
  const spent = entries.map(readValue)
  const saysNothing = spent.includes(null) && spent.every(value => value === null || value === 0)
  return saysNothing ? null : meanOver(entries, readValue, pooling)
}
