import type { MetricDefinition } from '../../core/metric.ts'
import type { ClusteredValue } from '../../score/statistics/clusters.ts'
import { pairClusters } from '../../score/statistics/paired-difference.ts'
import { type Entry, isScored } from './entries.ts'
import { averageClusters, listMetricValues, makeClusteredValue, readMetric } from './measures.ts'
import type { DifferenceRange, DifferenceSensitivity, UnscoredSensitivity } from './report-rows.ts'

/** Says how much a difference between two arms depends on single groups of tasks and on unscored attempts. */
export function measureSensitivity(
  from: readonly Entry[],
  to: readonly Entry[],
  metric: MetricDefinition,
): DifferenceSensitivity {
  const differences = pairClusters(listMetricValues(from, metric.key), listMetricValues(to, metric.key))
  const unscored = measureUnscoredSensitivity(from, to, metric)
  return { withoutOneGroup: findRangeWithoutOne(differences), ...(unscored === null ? {} : { unscored }) }
}

function findRangeWithoutOne(differences: readonly ClusteredValue[]): DifferenceRange | null {
  const components = new Set(differences.map(({ component }) => component))
  const means = [...components].flatMap(
    left => averageClusters(differences.filter(({ component }) => component !== left)) ?? [],
  )
  return means.length === 0 ? null : { least: Math.min(...means), most: Math.max(...means) }
}

const isFiltered = ({ attempt: { termination } }: Entry): boolean =>
  termination.cause === 'provider' && termination.reason === 'content-filter'

/** Counts the unscored attempts at tasks of both arms. Returns null when there are none. */
function measureUnscoredSensitivity(
  allFrom: readonly Entry[],
  allTo: readonly Entry[],
  { key, range: [least, most] }: MetricDefinition,
): UnscoredSensitivity | null {
  const tasksOf = (entries: readonly Entry[]) => new Set(entries.map(({ attempt }) => attempt.taskId))
  const [inFrom, inTo] = [tasksOf(allFrom), tasksOf(allTo)]
  const from = allFrom.filter(({ attempt }) => inTo.has(attempt.taskId))
  const to = allTo.filter(({ attempt }) => inFrom.has(attempt.taskId))
  const [missingFrom, missingTo] = [from, to].map(entries => entries.filter(entry => !isScored(entry))) as [
    Entry[],
    Entry[],
  ]
  if (missingFrom.length + missingTo.length === 0) return null
  const valuesWith = (entries: readonly Entry[], unscored: number): ClusteredValue[] =>
    entries.flatMap(entry => {
      const value = isScored(entry) ? readMetric(entry, key) : unscored
      return value === null ? [] : [makeClusteredValue(entry, value)]
    })
  const mean = (ofFrom: number, ofTo: number): number | null =>
    averageClusters(pairClusters(valuesWith(from, ofFrom), valuesWith(to, ofTo)))
  const [lowest, highest] =
    least === null || most === null ? [null, null] : [mean(most, least), mean(least, most)]
  return {
    from: missingFrom.length,
    to: missingTo.length,
    filteredFrom: missingFrom.filter(isFiltered).length,
    filteredTo: missingTo.filter(isFiltered).length,
    extremes: lowest === null || highest === null ? null : { least: lowest, most: highest },
  }
}
