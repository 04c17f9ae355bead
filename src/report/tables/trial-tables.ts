import { modelNaming, settingLabel } from '../model/arm-names.ts'
import { metricNamed } from '../model/metrics.ts'
import type { Report, TrialRow } from '../model/report.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { percent } from './numbers.ts'
import { domainName, left, type ReportTable, right } from './report-table.ts'

/** The largest N of each row; the JSON has the others. */
export function trialTables(report: Pick<Report, 'trials'>): ReportTable[] {
  return scorings(report.trials).map(scoring => {
    const own = report.trials.filter(row => scoringOf(row) === scoring)
    const rows = own.filter(row => metricNamed(row.metric).primary && isLargest(row, own))
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
        metricNamed(row.metric).short,
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
