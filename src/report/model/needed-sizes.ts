import { groupBy } from '../../core/group-by.ts'
import { computeMean } from '../../score/statistics/clusters.ts'
import { computePairedDifference } from '../../score/statistics/paired-difference.ts'
import { countNeededComponents } from '../../score/statistics/power.ts'
import { listArms } from './arms.ts'
import type { Entry } from './entries.ts'
import { listMetricValues } from './measures.ts'
import { listScoringMetrics } from './metrics.ts'
import type { Report } from './report.ts'
import type { DifferenceRow } from './report-rows.ts'

/** What a run needs to detect a difference of this size between two arms of a pilot run, in 80% of such runs. */
export interface NeededSize {
  /** The ids of the arms in the report of the pilot. */
  readonly fromArm: string
  readonly toArm: string
  /** The key of the metric. */
  readonly metric: string
  readonly difference: number
  /** The standard deviation of the difference between groups of tasks, with so many trials. */
  readonly spread: number
  readonly trials: number
  readonly groups: number
  readonly tasks: number
  /** Of both arms. */
  readonly attempts: number
  /** For these attempts, at the mean cost of the pilot. Null when it is unknown. */
  readonly usd: number | null
}

/** The numbers of trials to plan for, when the pilot shows how much trials of a task differ. */
const plannedTrials = [1, 2, 4]

/**
 * Computes the size of a run that detects a difference in the primary metric, for each pair of arms that the tables of a
 * pilot run compare. The p-value is corrected for as many tests as the table of the pilot has. Pairs over fewer than five
 * groups of tasks, or that differ equally in all groups, say nothing about the spread and are left out.
 *
 * @param entries - Of the first scoring of the pilot.
 * @param difference - In the unit of the metric, shares from 0 to 1.
 */
export function computeNeededSizes(
  report: Report,
  entries: readonly Entry[],
  difference: number,
): NeededSize[] {
  const arms = listArms(entries)
  const entriesOf = groupBy([...entries], ({ key }) => arms.idOf(key))
  const scorer = entries[0]?.key
  const { primary } = listScoringMetrics(report.scorers, scorer?.scorer ?? 'none')
  return report.differences
    .filter(row => row.domain === 'all' && row.metric === primary?.key && row.againstFirst)
    .filter(row => row.scorer === scorer?.scorer && row.judge === scorer?.judge)
    .flatMap(row => {
      const [from, to] = [row.fromArm, row.arm].map(id => entriesOf.get(id) ?? [])
      return computeSizes(row, { from: from!, to: to!, range: primary!.range, difference })
    })
}

interface PilotPair {
  readonly from: readonly Entry[]
  readonly to: readonly Entry[]
  readonly range: readonly [number | null, number | null]
  readonly difference: number
}

function computeSizes(row: DifferenceRow, { from, to, range, difference }: PilotPair): NeededSize[] {
  const [before, after] = [from, to].map(entries => listMetricValues(entries, row.metric))
  const pilot = computePairedDifference(before!, after!, range)
  if (pilot === null || pilot.low === null || pilot.estimate.variance === null) return []
  const variance = pilot.estimate.variance * pilot.components
  const tasksPerGroup = pilot.n / pilot.components
  const noises = [before!, after!].map(measureTrialNoise)
  const noise = noises.reduce((sum, { perTrial }) => sum + perTrial, 0) / tasksPerGroup
  const inPilot = noises.reduce((sum, { perTrial, trials }) => sum + perTrial / trials, 0) / tasksPerGroup
  const isKnown = noises.every(({ trials }) => trials > 1)
  const costs = [from, to].map(meanUsd)
  return (isKnown ? plannedTrials : [Math.round(noises[0]!.trials)]).map(trials => {
    const spread = isKnown ? Math.sqrt(Math.max(0, variance - inPilot) + noise / trials) : Math.sqrt(variance)
    const groups = countNeededComponents(difference, spread, Math.max(1, row.tests))
    const tasks = Math.ceil(groups * tasksPerGroup)
    const usd = costs.includes(null) ? null : tasks * trials * (costs[0]! + costs[1]!)
    return {
      ...{ fromArm: row.fromArm, toArm: row.arm, metric: row.metric, difference, spread, trials },
      ...{ groups, tasks, attempts: 2 * tasks * trials, usd },
    }
  })
}

/** The variance between the trials of a task, averaged over tasks, and the mean number of scored trials. */
function measureTrialNoise(values: ReturnType<typeof listMetricValues>): {
  perTrial: number
  trials: number
} {
  const tasks = [...groupBy(values, ({ cluster }) => cluster).values()].map(taskValues =>
    taskValues.map(({ value }) => value),
  )
  const repeated = tasks.filter(taskValues => taskValues.length > 1)
  const perTrial = repeated.map(taskValues => {
    const mean = computeMean(taskValues)
    return taskValues.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (taskValues.length - 1)
  })
  const trials = repeated.length < tasks.length ? 1 : computeMean(tasks.map(taskValues => taskValues.length))
  return { perTrial: perTrial.length === 0 ? 0 : computeMean(perTrial), trials }
}

function meanUsd(entries: readonly Entry[]): number | null {
  const costs = entries.flatMap(({ attempt: { usage } }) => usage.usd ?? [])
  return costs.length < entries.length ? null : computeMean(costs)
}
