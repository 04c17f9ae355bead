import { withoutOptions } from '../../core/arm.ts'
import { makeTable, type Table } from '../../core/table.ts'
import { metricsOf, type RunScorers } from '../model/metrics.ts'
import type { SearchServiceRow } from '../model/search-services.ts'
import { modelColumn } from './columns.ts'

/** Compares search services: what agents found with each, how well they answered, cost and time. */
export function searchServiceTable(rows: readonly SearchServiceRow[], scorers: RunScorers): Table {
  const { primary } = metricsOf(scorers, rows[0]?.scorer ?? 'none')
  return makeTable({
    title: 'Search services',
    rows,
    columns: column => [
      column('service', 'text', row => row.service),
      column('setting', 'arm', ({ setting, options }) => ({
        setting,
        options: withoutOptions(options, ['search']),
      })),
      modelColumn(),
      column('n', 'count', row => row.n),
      column('docs found', 'share', row => row.discoveryRecall),
      column(primary?.label ?? 'score', 'mean', row => ({ unit: primary?.unit ?? 'share', mean: row.value })),
      column('searches', 'amount', row => row.searchCalls),
      column('US$', 'usd', row => row.usd),
      column('search US$', 'usd', row => row.usdSearch),
      column('s/search', 'shortMs', row => row.msPerSearch),
    ],
    remarks: [
      'Means over attempts, shares in percent. docs found: share of the documents of the task that the agent opened, – for tasks that name none. s/search: mean seconds of a search without the waits before retries, from the traces.',
    ],
  })
}
