import type { MetricDefinition } from '../../core/metric.ts'
import { modelNaming, settingLabel } from '../model/arm-names.ts'
import { metricsOf, type RunScorers } from '../model/metrics.ts'
import type { EndCounts, EndRow } from '../model/report-rows.ts'
import { allScorings } from '../model/scorings.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { headOf, meanText } from './metric-text.ts'
import { percent } from './numbers.ts'
import { knownColumns, left, type ReportTable, right } from './report-table.ts'

/** Explains the column `completed` of tables of terminations. */
export function completedRemark(isScored: boolean): string {
  const meaning = isScored
    ? 'the answer could be read, and neither the provider, the harness nor the operator ended the attempt'
    : 'the attempt has an answer'
  return `completed: ${meaning}. All other attempts failed.`
}

/** Shows why the attempts of each arm ended and how many failed. */
export function terminationTable(report: {
  readonly ends: readonly EndRow[]
  readonly scorers: RunScorers
}): ReportTable {
  const models = modelNaming(report.ends)
  const primaries = primariesOf(report.ends, report.scorers)
  const isScored = report.ends.some(row => row.scorer !== 'none')
  const table = {
    title: `Why the attempts ended ${allScorings(report.ends)}`,
    columns: [
      left('setting'),
      ...modelColumn(models),
      left('cause'),
      left('reason'),
      ...['n', 'share', 'completed', 'failed', 'of failures'].map(right),
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
      ...primaries.map(metric => endMeanText(metric, row)),
    ]),
    remarks: [
      "share: percent of the arm's attempts; of failures: percent of its failed attempts.",
      completedRemark(isScored),
      ...(isScored
        ? ['Attempts that ended with the cause provider, harness or operator have no score.']
        : []),
    ],
  }
  return isScored ? table : knownColumns(table)
}

/** Formats the mean of attempts with one end, or both of its bounds when a judge left items without a rating. */
export function endMeanText(metric: MetricDefinition, row: EndCounts): string {
  const mean = row.metric === metric.key ? row.mean : null
  return meanText(metric, { mean, bounds: mean === null ? null : (row.bounds ?? null) })
}

/** Returns the primary metrics of the scorings of these rows. */
export function primariesOf(
  rows: readonly { readonly scorer: string }[],
  scorers: RunScorers,
): readonly MetricDefinition[] {
  const found = [...new Set(rows.map(({ scorer }) => scorer))].map(scorer => metricsOf(scorers, scorer))
  const primaries = found.flatMap(({ primary }) => primary ?? [])
  return [...new Map(primaries.map(metric => [metric.key, metric])).values()]
}
