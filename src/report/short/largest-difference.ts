import type { Arm } from '../../core/arm.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { type ClusteredValue, clusterMeans, meanOf } from '../../score/statistics/clusters.ts'
import { pairedDifference } from '../../score/statistics/paired-difference.ts'
import { settingLabel } from '../model/arm-names.ts'
import { type Entry, groupBy, groupByKey } from '../model/entries.ts'
import { metricValues } from '../model/measures.ts'
import type { Report } from '../model/report.ts'
import type { DifferenceRow } from '../model/report-rows.ts'

/** The difference between two arms, `to` minus `from`, paired over the n tasks scored in both. */
export interface ArmDifferenceFound
  extends Pick<DifferenceRow, 'n' | 'components' | 'mean' | 'low' | 'high' | 'pValue' | 'pValueHolm'> {
  readonly from: Arm
  readonly to: Arm
}

/** Where to look for differences in one metric: the rows of the report, and pairs of models. */
export interface DifferenceSource {
  readonly report: Pick<Report, 'differences'>
  /** Entries of one scoring. */
  readonly entries: readonly Entry[]
  readonly metric: MetricDefinition
}

/**
 * Finds the largest difference between two arms of a run. The arms are two settings, or two arms of one setting, of one model
 * that the report compares, or two models in the same setting with the same options.
 *
 * @returns null when no two arms share a scored task
 */
export function largestDifference(source: DifferenceSource): ArmDifferenceFound | null {
  const within = largestWithinModels(source)
  const between = largestBetweenModels(source)
  if (between === null || Math.abs(within?.mean ?? 0) >= Math.abs(between.mean)) {
    return within ?? (between === null ? null : between.test())
  }
  return between.test()
}

function largestWithinModels({ report, entries, metric }: DifferenceSource): ArmDifferenceFound | null {
  const key = entries[0]?.key
  const rows = report.differences.filter(
    row =>
      row.domain === 'all' &&
      row.metric === metric.key &&
      row.scorer === key?.scorer &&
      row.judge === key.judge,
  )
  const [row] = rows.sort((a, b) => Math.abs(b.mean) - Math.abs(a.mean))
  if (row === undefined) return null
  const armNamed = (label: string): Arm | undefined =>
    entries.find(entry => entry.key.model === row.model && settingLabel(entry.key) === label)?.key
  const [from, to] = [armNamed(row.from), armNamed(row.to)]
  return from === undefined || to === undefined ? null : { ...row, from, to }
}

interface Candidate {
  readonly mean: number
  /** Computes the interval and the p-value, which takes much longer than the mean. */
  test(): ArmDifferenceFound | null
}

function largestBetweenModels({ entries, metric }: DifferenceSource): Candidate | null {
  const arms = groupByKey(entries).map(arm => ({
    arm: arm.key,
    values: metricValues(arm.entries, metric.key),
  }))
  const families = groupBy(arms, ({ arm }) => settingLabel(arm))
  let largest: Candidate | null = null
  let pairs = 0
  for (const family of families.values()) {
    for (const [at, from] of family.entries()) {
      for (const to of family.slice(at + 1)) {
        const mean = meanDifference(from.values, to.values)
        if (mean === null) continue
        pairs++
        if (largest !== null && Math.abs(mean) <= Math.abs(largest.mean)) continue
        const test = (): ArmDifferenceFound | null => {
          const found = pairedDifference(from.values, to.values, metric.range)
          if (found === null) return null
          // Holm's method multiplies by at most the number of tests.
          const pValueHolm = found.pValue === null ? null : Math.min(1, pairs * found.pValue)
          return { ...found, pValueHolm, from: from.arm, to: to.arm }
        }
        largest = { mean, test }
      }
    }
  }
  return largest
}

/** Averages the difference over the tasks of both sides. Returns null when they share no task. */
function meanDifference(from: readonly ClusteredValue[], to: readonly ClusteredValue[]): number | null {
  const base = clusterMeans(from)
  const differences = [...clusterMeans(to)].flatMap(([task, mean]) => {
    const other = base.get(task)
    return other === undefined ? [] : [mean - other]
  })
  return differences.length === 0 ? null : meanOf(differences)
}
