import { summarizeTrials } from '../../score/statistics/trials.ts'
import { modelCell, modelColumn } from '../tables/group-columns.ts'
import { percent } from '../tables/numbers.ts'
import { domainName, left, type ReportTable, right, scoringOf, scorings } from '../tables/report-table.ts'
import { modelNaming, settingLabel } from './arm-names.ts'
import { byDomain, type Entry, groupBy, groupByKey, isScored } from './entries.ts'
import { type Metric, metricValue } from './measures.ts'
import type { Report, TrialRow } from './report.ts'

const metrics: readonly Metric[] = ['cellF1', 'rowF1', 'fieldPassRate']

/** More trials than these are not told apart. */
const mostTrials = 32

/** Avg@N, Max@N and Pass@N for every N up to the number of trials that tasks have; none where each was tried once. */
export function trialRows(entries: readonly Entry[]): TrialRow[] {
  return groupByKey(entries).flatMap(({ key, entries: own }) =>
    [...byDomain(own), ['all', own] as const].flatMap(([domain, group]) => {
      const scored = group.filter(isScored)
      const byTask = [...groupBy(scored, entry => entry.attempt.taskId).values()]
      const most = Math.min(mostTrials, Math.max(0, ...byTask.map(trials => trials.length)))
      if (most < 2) return []
      return metrics.flatMap(metric =>
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
  metric: Metric,
) {
  return entries.flatMap(entry => {
    const value = metricValue(entry, metric)
    return value === null ? [] : [{ cluster: entry.attempt.taskId, value, passed: entry.score.passed }]
  })
}

const metricNames: Readonly<Record<string, string>> = {
  cellF1: 'cell F1',
  rowF1: 'row F1',
  fieldPassRate: 'fields passed',
}

/** The largest N of each row; the others stand in the JSON. */
export function trialTables(report: Pick<Report, 'trials'>): ReportTable[] {
  return scorings(report.trials).map(scoring => {
    const own = report.trials.filter(row => scoringOf(row) === scoring)
    const rows = own.filter(row => row.metric !== 'rowF1' && isLargest(row, own))
    const models = modelNaming(rows)
    return {
      title: `Several trials (${scoring})`,
      columns: [
        left('domain'),
        ...modelColumn(models),
        left('setting'),
        left('metric'),
        ...['tasks', 'N', 'Avg@N', 'Max@N', 'Pass@N'].map(right),
      ],
      rows: rows.map(row => [
        domainName(row.domain),
        ...modelCell(row.model, models),
        settingLabel(row),
        metricNames[row.metric] ?? row.metric,
        String(row.tasks),
        String(row.trials),
        ...[row.average, row.maximum, row.passRate].map(percent),
      ]),
      remarks: [
        'Percent, over tasks with N scored trials or more; Max@N: expected best of N trials; Pass@N: chance that one of N gives a readable answer.',
      ],
    }
  })
}

function isLargest(row: TrialRow, all: readonly TrialRow[]): boolean {
  return !all.some(
    other =>
      other.trials > row.trials &&
      other.metric === row.metric &&
      other.domain === row.domain &&
      other.model === row.model &&
      settingLabel(other) === settingLabel(row),
  )
}
