import { modelNaming, settingLabel } from '../model/arm-names.ts'
import { groupBy } from '../model/entries.ts'
import type { CorrelationRow } from '../model/facet-correlations.ts'
import { metricNamed, type RunScorers } from '../model/metrics.ts'
import { scoringOf } from '../model/scorings.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { unknown } from './numbers.ts'
import { domainName, facetName, left, type ReportTable, right } from './report-table.ts'

/** Formats rank correlations: a table for each layout and scoring. */
export function correlationTables(report: {
  readonly correlations: readonly CorrelationRow[]
  readonly scorers: RunScorers
}): ReportTable[] {
  const groups = groupBy([...report.correlations], row => JSON.stringify([row.id, scoringOf(row)]))
  return [...groups.values()].map(rows => tableOf(rows, report.scorers))
}

function tableOf(rows: readonly CorrelationRow[], scorers: RunScorers): ReportTable {
  const { title, source, by, scorer, metric, columns } = rows[0]!
  const models = modelNaming(rows)
  const label = metricNamed(scorers, scorer, metric)?.label ?? metric
  return {
    title: `${title}: ${label} (${scoringOf(rows[0]!)})`,
    columns: [
      left(facetName(by)),
      ...modelColumn(models),
      left('setting'),
      ...['n', ...columns.map(({ head }) => head)].map(right),
    ],
    rows: rows.map(row => [
      domainName(row.value, by),
      ...modelCell(row.model, models),
      settingLabel(row),
      String(row.n),
      ...row.columns.map(({ rho }) => (rho === null ? unknown : rho.toFixed(2))),
    ]),
    remarks: [
      `Spearman's rank correlation of the score with each column over n scored tasks, from -1 to 1. The trials of a task are averaged first. –: the score or the column is the same for all tasks. Layout: ${source}.`,
    ],
  }
}
