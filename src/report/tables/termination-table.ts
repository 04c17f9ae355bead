import { modelNaming, settingLabel } from '../model/arm-names.ts'
import type { EndRow } from '../model/ends.ts'
import { allScorings } from '../model/scorings.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { percent } from './numbers.ts'
import { knownColumns, left, type ReportTable, right } from './report-table.ts'

/** Why the attempts ended and how many failed, for each setting, model and variant. */
export function terminationTable(report: { readonly ends: readonly EndRow[] }): ReportTable {
  const models = modelNaming(report.ends)
  const isScored = report.ends.some(row => row.profile !== 'none')
  const table = {
    title: `Why the attempts ended ${allScorings(report.ends)}`,
    columns: [
      left('setting'),
      ...modelColumn(models),
      left('cause'),
      left('reason'),
      ...['n', 'share', isScored ? 'passed' : 'answered', 'failed', 'of failures', 'cell F1'].map(right),
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
      percent(row.meanCellF1),
    ]),
    remarks: [
      isScored
        ? "Shares of the setting's attempts and of its failures, percent; causes provider, harness and operator are unscored."
        : "Shares of the setting's attempts and of its failures, percent. Without scores, failed is what has no answer.",
    ],
  }
  return isScored ? table : knownColumns(table)
}
