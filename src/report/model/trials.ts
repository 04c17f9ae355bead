import type { MetricDefinition } from '../../core/metric.ts'
import { summarizeTrials } from '../../score/statistics/trials.ts'
import { byDomain, type Entry, groupBy, groupByKey, isScored } from './entries.ts'
import { metricValue } from './measures.ts'
import { metricsOf, type RunScorers } from './metrics.ts'
import type { TrialRow } from './report-rows.ts'

/** The largest N that has rows. */
const mostTrials = 32

/** Computes Avg@N, Max@N and Pass@N for every N from 1 to the number of trials. Returns no rows for single trials. */
export function trialRows(entries: readonly Entry[], scorers: RunScorers): TrialRow[] {
  return groupByKey(entries).flatMap(({ key, entries: own }) =>
    [...byDomain(own), ['all', own] as const].flatMap(([domain, group]) => {
      const scored = group.filter(isScored)
      const byTask = [...groupBy(scored, entry => entry.attempt.taskId).values()]
      const most = Math.min(mostTrials, Math.max(0, ...byTask.map(trials => trials.length)))
      if (most < 2) return []
      return metricsOf(scorers, key.profile).compared.flatMap(metric =>
        Array.from({ length: most }, (_, index) => index + 1).flatMap(trials => {
          const summary = summarizeTrials(outcomesOf(scored, metric), trials)
          if (summary === null) return []
          const { tasks, passRate } = summary
          const average = sign(metric) * summary.average
          const maximum = sign(metric) * summary.maximum
          return [{ ...key, domain, metric: metric.key, trials, tasks, average, maximum, passRate }]
        }),
      )
    }),
  )
}

/** With this sign, the best of several trials is always the greatest value. */
const sign = ({ better }: MetricDefinition): 1 | -1 => (better === 'higher' ? 1 : -1)

function outcomesOf(
  entries: readonly (Entry & { readonly score: { readonly answered: boolean } })[],
  metric: MetricDefinition,
) {
  return entries.flatMap(entry => {
    const value = metricValue(entry, metric.key)
    if (value === null) return []
    return [{ cluster: entry.attempt.taskId, value: sign(metric) * value, passed: entry.score.answered }]
  })
}
