import { successMetric } from '../../core/metric.ts'
import { modelNaming, settingLabel } from '../model/arm-names.ts'
import { isPrimary, metricNamed } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { TrialRow } from '../model/report-rows.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { metricText } from './metric-text.ts'
import { percent } from './numbers.ts'
import { domainName, facetName, left, type ReportTable, right } from './report-table.ts'

/** The largest N of each row; the JSON has the others. */
export function trialTables({
  trials,
  scorers,
  facet,
}: Pick<Report, 'trials' | 'scorers' | 'facet'>): ReportTable[] {
  return scorings(trials).map(scoring => {
    const own = trials.filter(row => scoringOf(row) === scoring)
    const rows = own.flatMap(row => {
      const metric = metricNamed(scorers, row.profile, row.metric)
      const isShown = row.metric === successMetric.key || isPrimary(scorers, row.profile, row.metric)
      return metric !== undefined && isShown && isLargest(row, own) ? [{ row, metric }] : []
    })
    const models = modelNaming(rows.map(({ row }) => row))
    return {
      title: `Several trials (${scoring})`,
      columns: [
        left(facetName(facet)),
        ...modelColumn(models),
        left('setting'),
        left('metric'),
        ...['tasks', 'N', 'Avg@N', 'Max@N', 'Pass@N'].map(right),
      ],
      rows: rows.map(({ row, metric }) => [
        domainName(row.domain, facet),
        ...modelCell(row.model, models),
        settingLabel(row),
        metric.label,
        String(row.tasks),
        String(row.trials),
        ...[row.average, row.maximum].map(value => metricText(metric, value)),
        percent(row.passRate),
      ]),
      remarks: [
        'Shares in percent, over tasks with N scored trials or more; Max@N: expected best of N trials; Pass@N: chance that one of N gives a readable answer. Max@N of success: chance that one of N has every item right.',
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
