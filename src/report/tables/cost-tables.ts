import { armKey, withoutOptions } from '../../core/arm.ts'
import { makeTable, type Table } from '../../core/table.ts'
import { listScoringMetrics, type RunScorers } from '../model/metrics.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { nameAllScorings } from '../model/scorings.ts'
import type { SearchServiceRow } from '../model/search-services.ts'
import { groupColumns, makeModelColumn, nameFacets, sortForReading } from './columns.ts'
import { withKnownColumns } from './text-table.ts'

/** Returns each group in its first scoring. Spending does not depend on the scoring. */
function listFirstScorings(groups: readonly ReportGroup[]): ReportGroup[] {
  const first = new Map<string, ReportGroup>()
  for (const group of groups) {
    const key = `${group.domain} ${armKey(group)}`
    if (!first.has(key)) first.set(key, group)
  }
  return sortForReading([...first.values()])
}

/** The groups to show, with the metrics and the facet that name them. */
interface EfficiencySource {
  readonly groups: readonly ReportGroup[]
  readonly scorers: RunScorers
  readonly facet: string
}

/** Shows the mean cost of an attempt in tokens, calls and time, then in dollars and per correct item. */
export function makeEfficiencyTables({ groups: allGroups, scorers, facet }: EfficiencySource): Table[] {
  const groups = listFirstScorings(allGroups)
  const { itemNoun: noun } = listScoringMetrics(scorers, groups[0]?.scorer ?? 'none')
  const names = groupColumns<ReportGroup>(facet)
  const tables = [
    makeTable({
      title: `Tokens, calls and time per attempt ${nameAllScorings(groups)}`,
      rows: groups,
      columns: column => [
        ...names,
        column('tokens in', 'amount', group => group.efficiency.inputTokens),
        column('cached', 'amount', group => group.efficiency.cachedInputTokens),
        column('tokens out', 'amount', group => group.efficiency.outputTokens),
        column('model calls', 'amount', group => group.modelCalls),
        column('searches', 'amount', group => group.searchCalls),
        column('fetches', 'amount', group => group.fetchCalls),
        column('seconds', 'ms', group => group.wallMs),
        column('working', 'ms', group => group.efficiency.workingMs),
      ],
      remarks: [
        'Means over all attempts with a known value, including unscored ones. –: unknown for all. cached: part of the tokens in. working: seconds without waiting for rate limits and retries.',
      ],
    }),
    makeTable({
      title: `Cost per attempt and per correct ${noun} ${nameAllScorings(groups)}`,
      rows: groups,
      columns: column => [
        ...names,
        column('US$', 'usd', group => group.usd),
        column('model', 'usd', group => group.efficiency.usdModel),
        column('search', 'usd', group => group.efficiency.usdSearch),
        column('fetch', 'usd', group => group.efficiency.usdFetch),
        column('judge', 'usd', group => group.efficiency.usdJudge),
        column(`correct ${noun}s`, 'amount', group => group.efficiency.correctCells),
        column(`tokens/${noun}`, 'amount', group => group.efficiency.tokensPerCorrectCell),
        column(`US$/${noun}`, 'usd', group => group.efficiency.usdPerCorrectCell),
        column(`s/${noun}`, 'shortMs', group => group.efficiency.wallMsPerCorrectCell),
      ],
      remarks: [
        `US$: mean per attempt with a known cost, for model, search and fetch together. The judge is not included. /${noun}: what all scored attempts spent, divided by their correct ${noun}s. The mean of ${nameFacets(facet)} is – when one of them has no correct ${noun} or an unknown cost.`,
      ],
    }),
  ]
  if (groups.some(group => group.scorer !== 'none')) return tables
  return tables.map(withKnownColumns).filter(({ columns }) => columns.length > names.length)
}

/** Compares search services: what agents found with each, how well they answered, cost and time. */
export function searchServiceTable(rows: readonly SearchServiceRow[], scorers: RunScorers): Table {
  const { primary } = listScoringMetrics(scorers, rows[0]?.scorer ?? 'none')
  return makeTable({
    title: 'Search services',
    rows,
    columns: column => [
      column('service', 'text', row => row.service),
      column('setting', 'arm', ({ setting, options }) => ({
        setting,
        options: withoutOptions(options, ['search']),
      })),
      makeModelColumn(),
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
