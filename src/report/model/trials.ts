import { groupBy } from '../../core/group-by.ts'
import { answeredMetric, type MetricDefinition, successMetric } from '../../core/metric.ts'
import { summarizeTrials, type TrialOutcome, type TrialSummary } from '../../score/statistics/trials.ts'
import { type Entry, groupByDomain, groupByKey, isScored } from './entries.ts'
import { readMetric } from './measures.ts'
import { listScoringMetrics, type RunScorers } from './metrics.ts'
import type { TrialRow } from './report-rows.ts'

/** The largest N that has rows. */
const mostTrials = 32

/** Computes Avg@N, Max@N, Min@N and Pass@N for every N from 1 to the number of trials. Returns no rows for single trials. */
export function listTrialRows(entries: readonly Entry[], scorers: RunScorers): TrialRow[] {
  return groupByKey(entries).flatMap(({ key, entries: armEntries }) =>
    [...groupByDomain(armEntries), ['all', armEntries] as const].flatMap(([domain, group]) => {
      const scored = group.filter(isScored)
      const byTask = [...groupBy(scored, entry => entry.attempt.taskId).values()]
      const most = Math.min(mostTrials, Math.max(0, ...byTask.map(trials => trials.length)))
      if (most < 2) return []
      return Array.from({ length: most }, (_, index) => index + 1).flatMap(trials => {
        const answeredRate =
          summarizeTrials(listTrialOutcomes(scored, answeredMetric), trials)?.maximum ?? null
        const successRate = summarizeTrials(listTrialOutcomes(scored, successMetric), trials)?.maximum ?? null
        return listScoringMetrics(scorers, key.scorer).compared.flatMap(metric => {
          const summary = summarizeTrials(listTrialOutcomes(scored, metric), trials)
          if (summary === null) return []
          const { tasks, ...values } = orientBounds(metric, summary)
          return [{ ...key, domain, metric: metric.key, trials, tasks, ...values, answeredRate, successRate }]
        })
      })
    }),
  )
}

/** Makes `maximum` the best value and `minimum` the worst: where less is better, the smallest value is the best. */
function orientBounds({ better }: MetricDefinition, { tasks, average, maximum, minimum }: TrialSummary) {
  return better === 'higher'
    ? { tasks, average, maximum, minimum }
    : { tasks, average, maximum: minimum, minimum: maximum }
}

function listTrialOutcomes(entries: readonly Entry[], metric: MetricDefinition): TrialOutcome[] {
  return entries.flatMap(entry => {
    const value = readMetric(entry, metric.key)
    return value === null ? [] : [{ cluster: entry.attempt.taskId, value }]
  })
}
