import { summarizeTrials } from '../../score/statistics/trials.ts'
import { byDomain, type Entry, groupBy, groupByKey, isScored } from './entries.ts'
import { metricValue } from './measures.ts'
import { type MetricKey, scoreMetrics } from './metrics.ts'
import type { TrialRow } from './report.ts'

/** The largest number of trials that a table distinguishes. */
const mostTrials = 32

/** Avg@N, Max@N and Pass@N for every N up to the number of trials that tasks have; none where each was tried once. */
export function trialRows(entries: readonly Entry[]): TrialRow[] {
  return groupByKey(entries).flatMap(({ key, entries: own }) =>
    [...byDomain(own), ['all', own] as const].flatMap(([domain, group]) => {
      const scored = group.filter(isScored)
      const byTask = [...groupBy(scored, entry => entry.attempt.taskId).values()]
      const most = Math.min(mostTrials, Math.max(0, ...byTask.map(trials => trials.length)))
      if (most < 2) return []
      return scoreMetrics.flatMap(({ key: metric }) =>
        Array.from({ length: most }, (_, index) => index + 1).flatMap(trials => {
          const summary = summarizeTrials(outcomesOf(scored, metric), trials)
          if (summary === null) return []
          const { tasks, average, maximum, passRate } = summary
          return [{ ...key, domain, metric, trials, tasks, average, maximum, passRate }]
        }),
      )
    }),
  )
}

function outcomesOf(
  entries: readonly (Entry & { readonly score: { readonly passed: boolean } })[],
  metric: MetricKey,
) {
  return entries.flatMap(entry => {
    const value = metricValue(entry, metric)
    return value === null ? [] : [{ cluster: entry.attempt.taskId, value, passed: entry.score.passed }]
  })
}
