import { expect, it } from 'vitest'
import type { TraceEvent } from '../../logs/events.ts'
import type { ReportGroup } from '../../src/report/model/report-group.ts'
import { listServices, searchServiceRows, sumSearchTime } from '../../src/report/model/search-services.ts'
import { searchServiceTable } from '../../src/report/tables/cost-tables.ts'
import { makeTextTable } from '../../src/report/tables/text-table.ts'
import { wideSearchScorer } from '../../tasks/widesearch/scorer.ts'
import { readOptions } from './records.ts'

const group = (variant: string): ReportGroup =>
  ({
    ...{
      setting: 'online',
      model: 'm',
      options: readOptions(variant),
      domain: 'all',
      scorer: 'aoe',
      judge: 'rules',
    },
    ...{ n: 2, metrics: {}, discoveryRecall: 0.5, searchCalls: 3, usd: 0.1, efficiency: { usdSearch: 0.01 } },
  }) as unknown as ReportGroup

it('measures searches without the waits before retries', () => {
  const events = [
    { type: 'budget-charged', kind: 'searchCalls', amount: 1 },
    { type: 'provider-retried', what: 'search: x', waitMs: 400 },
    { type: 'budget-charged', kind: 'searchCalls', amount: 1 },
    { type: 'tool-answered', tool: 'web_search', wallMs: 1_000 },
    { type: 'tool-answered', tool: 'fetch_page', wallMs: 9_000 },
  ] as unknown as TraceEvent[]
  expect(sumSearchTime(events)).toEqual({ ms: 600, calls: 2 })
})

it('has a row for each service of a run with several', () => {
  const times = [{ setting: 'online', model: 'm', options: { search: 'brave' }, ms: 900, calls: 3 }]
  const groups = [group(''), group('search=brave')]
  const rows = searchServiceRows({ groups, scorers: {}, times })
  expect(rows.map(row => [row.service, row.label, row.msPerSearch])).toEqual([
    ['serper', 'online', null],
    ['brave', 'online', 300],
  ])
  expect(searchServiceRows({ groups: [group('')], scorers: {}, times })).toEqual([])
})

it('is printed with score, cost and time, and without discovery where tasks name no documents', () => {
  const scorers = { widesearch: { kind: 'table', metrics: wideSearchScorer.metrics } } as const
  const own = {
    ...group('search=brave'),
    ...{ scorer: 'widesearch', discoveryRecall: null, metrics: { itemF1: { mean: 0.25 } } },
  } as unknown as ReportGroup
  const times = [{ setting: 'online', model: 'm', options: { search: 'brave' }, ms: 900, calls: 3 }]
  const table = makeTextTable(
    searchServiceTable(searchServiceRows({ groups: [own], scorers, times }), scorers),
  )
  expect(table.columns.map(({ head }) => head)).toEqual([
    ...['service', 'setting', 'n', 'docs found', 'Item F1', 'searches', 'US$', 'search US$', 's/search'],
  ])
  expect(table.rows).toEqual([['brave', 'online', '2', '–', '25.0', '3', '0.10', '0.0100', '0.300']])
})

it('reads the services of runs from their options', () => {
  const manifests = [{ identity: { search: 'serper' } }, { identity: { search: ['serper', 'brave'] } }, {}]
  expect(listServices(manifests)).toEqual(['serper', 'brave'])
})
