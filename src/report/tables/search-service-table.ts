import { modelNaming } from '../model/arm-names.ts'
import { metricsOf, type RunScorers } from '../model/metrics.ts'
import type { SearchServiceRow } from '../model/search-services.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { metricText } from './metric-text.ts'
import { compactCount, dollars, fineSeconds, percent } from './numbers.ts'
import { left, type ReportTable, right } from './report-table.ts'

/** Compares search services: what agents found with each, how well they answered, cost and time. */
export function searchServiceTable(rows: readonly SearchServiceRow[], scorers: RunScorers): ReportTable {
  const models = modelNaming(rows)
  const { primary } = metricsOf(scorers, rows[0]?.scorer ?? 'none')
  return {
    title: 'Search services',
    columns: [
      left('service'),
      left('setting'),
      ...modelColumn(models),
      ...['n', 'docs found', primary?.label ?? 'score', 'searches', 'US$', 'search US$', 's/search'].map(
        right,
      ),
    ],
    rows: rows.map(row => [
      row.service,
      row.label,
      ...modelCell(row.model, models),
      String(row.n),
      percent(row.discoveryRecall),
      primary === null ? percent(row.value) : metricText(primary, row.value),
      compactCount(row.searchCalls),
      dollars(row.usd),
      dollars(row.usdSearch),
      fineSeconds(row.msPerSearch),
    ]),
    remarks: [
      'Means over attempts, shares in percent. docs found: share of the documents of the task that the agent opened, – for tasks that name none. s/search: mean seconds of a search without the waits before retries, from the traces.',
    ],
  }
}
