import type { MetricDefinition } from '../../core/metric.ts'
import { modelNaming, settingLabel } from '../model/arm-names.ts'
import { meanField } from '../model/first-report.ts'
import { metricsOf, type RunScorers } from '../model/metrics.ts'
import type { EndRow } from '../model/report-rows.ts'
import { allScorings } from '../model/scorings.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { headOf, metricText } from './metric-text.ts'
import { percent } from './numbers.ts'
import { knownColumns, left, type ReportTable, right } from './report-table.ts'

/** Why the attempts ended and how many failed, for each setting, model and variant. */
export function terminationTable(report: {
  readonly ends: readonly EndRow[]
  readonly scorers: RunScorers
}): ReportTable {
  const models = modelNaming(report.ends)
  const primaries = primariesOf(report.ends, report.scorers)
  const isScored = report.ends.some(row => row.profile !== 'none')
  const table = {
    title: `Why the attempts ended ${allScorings(report.ends)}`,
    columns: [
      left('setting'),
      ...modelColumn(models),
      left('cause'),
      left('reason'),
      ...['n', 'share', 'answered', 'failed', 'of failures'].map(right),
      ...primaries.map(metric => right(headOf(metric))),
    ],
    rows: report.ends.map(row => [
      settingLabel(row),
      ...modelCell(row.model, models),
      row.cause,
      row.reason,
      String(row.n),
      percent(row.share),
      String(row.passed),
      String(row.failed),
      row.failed === 0 ? '' : percent(row.shareOfFailures),
      ...primaries.map(metric => metricText(metric, row[meanField(metric.key)] ?? null)),
    ]),
    remarks: [
      isScored
        ? "Shares of the setting's attempts and of its failures, percent; causes provider, harness and operator are unscored."
        : "Shares of the setting's attempts and of its failures, percent. Without scores, failed is what has no answer.",
    ],
  }
  return isScored ? table : knownColumns(table)
}

/** The primary metrics of the scorings that the rows are of. */
export function primariesOf(
  rows: readonly { readonly profile: string }[],
  scorers: RunScorers,
): readonly MetricDefinition[] {
  const found = [...new Set(rows.map(({ profile }) => profile))].map(profile => metricsOf(scorers, profile))
  const primaries = found.flatMap(({ primary }) => primary ?? [])
  return [...new Map(primaries.map(metric => [metric.key, metric])).values()]
}
