import { modelNaming } from '../model/arm-names.ts'
import type { ReportGroup } from '../model/report.ts'
import { allScorings } from '../model/scorings.ts'
import { groupCells, groupColumns } from './group-columns.ts'
import { compactCount, dollars, fineSeconds, seconds } from './numbers.ts'
import { knownColumns, type ReportTable, readingOrder, right } from './report-table.ts'

/** One scoring of each group is enough for what it spent: the first; per correct cell it is that scoring's cells. */
function firstScorings(groups: readonly ReportGroup[]): ReportGroup[] {
  const first = new Map<string, ReportGroup>()
  for (const group of groups) {
    const key = JSON.stringify([group.domain, group.setting, group.model, group.variant])
    if (!first.has(key)) first.set(key, group)
  }
  return readingOrder([...first.values()])
}

function table(
  title: string,
  { groups, facet }: { readonly groups: readonly ReportGroup[]; readonly facet: string },
  columns: readonly (readonly [string, (group: ReportGroup) => string])[],
  remark: string,
): ReportTable {
  const models = modelNaming(groups)
  return {
    title,
    columns: [...groupColumns(models, facet), ...columns.map(([name]) => right(name))],
    rows: groups.map(group => [
      ...groupCells(group, models, facet),
      ...columns.map(([, read]) => read(group)),
    ]),
    remarks: [remark],
  }
}

/** What an attempt took in tokens, calls and time, then in dollars and for each correct cell. */
export function efficiencyTables(all: readonly ReportGroup[], facet: string): ReportTable[] {
  const groups = firstScorings(all)
  const tables = [
    table(
      `What an attempt took ${allScorings(groups)}`,
      { groups, facet },
      [
        ['tokens in', group => compactCount(group.efficiency.inputTokens)],
        ['cached', group => compactCount(group.efficiency.cachedInputTokens)],
        ['tokens out', group => compactCount(group.efficiency.outputTokens)],
        ['model calls', group => compactCount(group.modelCalls)],
        ['searches', group => compactCount(group.searchCalls)],
        ['fetches', group => compactCount(group.fetchCalls)],
        ['seconds', group => seconds(group.wallMs)],
        ['working', group => seconds(group.efficiency.workingMs)],
      ],
      'Means over all attempts that know it, unscored ones included; – where none does. cached: of the tokens in. working: seconds without waiting for others.',
    ),
    table(
      `What it cost, and for each correct cell ${allScorings(groups)}`,
      { groups, facet },
      [
        ['US$', group => dollars(group.usd)],
        ['model', group => dollars(group.efficiency.usdModel)],
        ['search', group => dollars(group.efficiency.usdSearch)],
        ['fetch', group => dollars(group.efficiency.usdFetch)],
        ['judge', group => dollars(group.efficiency.usdJudge)],
        ['correct cells', group => compactCount(group.efficiency.correctCells)],
        ['tokens/cell', group => compactCount(group.efficiency.tokensPerCorrectCell)],
        ['US$/cell', group => dollars(group.efficiency.usdPerCorrectCell)],
        ['s/cell', group => fineSeconds(group.efficiency.wallMsPerCorrectCell)],
      ],
      "US$ for an attempt, means over those that know it: model, search and fetch together; the judge's are the scoring's and stand apart. /cell: what scored attempts spent over all their correct cells; mean of domains: the mean of the domains' own, – where one has no correct cell or spent an unknown sum.",
    ),
  ]
  if (groups.some(group => group.profile !== 'none')) return tables
  const named = groupColumns(modelNaming(groups), facet).length
  return tables.map(knownColumns).filter(one => one.columns.length > named)
}
