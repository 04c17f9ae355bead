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

/** Shows Avg@N, Max@N, Min@N and Pass@N for the largest N of each arm. `--json` has every N. */
export function trialTables({
  trials,
  scorers,
  facet,
}: Pick<Report, 'trials' | 'scorers' | 'facet'>): ReportTable[] {
  return scorings(trials).map(scoring => {
    const own = trials.filter(row => scoringOf(row) === scoring)
    const rows = own.flatMap(row => {
      const metric = metricNamed(scorers, row.scorer, row.metric)
      const isShown = row.metric === successMetric.key || isPrimary(scorers, row.scorer, row.metric)
      return metric !== undefined && isShown && isLargest(row, own) ? [{ row, metric }] : []
    })
    const models = modelNaming(rows.map(({ row }) => row))
    return {
      title: `Repeated trials (${scoring})`,
      columns: [
        left(facetName(facet)),
        ...modelColumn(models),
        left('setting'),
        left('metric'),
        ...['tasks', 'N', 'Avg@N', 'Max@N', 'Min@N', 'Pass@N'].map(right),
      ],
      rows: rows.map(({ row, metric }) => [
        domainName(row.domain, facet),
        ...modelCell(row.model, models),
        settingLabel(row),
        metric.label,
        String(row.tasks),
        String(row.trials),
        ...[row.average, row.maximum, row.minimum].map(value => metricText(metric, value)),
        percent(row.successRate),
      ]),
      remarks: [
        "Over tasks with at least N scored trials, shares in percent. Avg@N: mean of a task's trials. Max@N and Min@N: expected best and worst of N trials. Pass@N: probability that at least one of N trials is a success. Min@N of success: probability that all N are.",
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
