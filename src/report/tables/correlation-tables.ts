import { makeTable, type Table } from '../../core/table.ts'
import { groupBy } from '../model/entries.ts'
import type { CorrelationRow } from '../model/facet-correlations.ts'
import { metricNamed, type RunScorers } from '../model/metrics.ts'
import { scoringOf } from '../model/scorings.ts'
import { domainName, facetName, modelColumn, settingColumn } from './columns.ts'

/** Formats rank correlations: a table for each layout and scoring. */
export function correlationTables(report: {
  readonly correlations: readonly CorrelationRow[]
  readonly scorers: RunScorers
}): Table[] {
  const groups = groupBy([...report.correlations], row => JSON.stringify([row.id, scoringOf(row)]))
  return [...groups.values()].map(rows => tableOf(rows, report.scorers))
}

function tableOf(rows: readonly CorrelationRow[], scorers: RunScorers): Table {
  const { title, source, by, scorer, metric, columns } = rows[0]!
  const label = metricNamed(scorers, scorer, metric)?.label ?? metric
  return makeTable({
    title: `${title}: ${label} (${scoringOf(rows[0]!)})`,
    rows,
    columns: column => [
      column(facetName(by), 'text', row => domainName(row.value, by)),
      modelColumn(),
      settingColumn(),
      column('n', 'count', row => row.n),
      ...columns.map(({ head }, at) =>
        column(head, 'correlation', (row: CorrelationRow) => row.columns[at]!.rho),
      ),
    ],
    remarks: [
      `Spearman's rank correlation of the score with each column over n scored tasks, from -1 to 1. The trials of a task are averaged first. –: the score or the column is the same for all tasks. Layout: ${source}.`,
    ],
  })
}
