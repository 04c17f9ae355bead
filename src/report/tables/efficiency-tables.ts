import { armKey } from '../../core/arm.ts'
import { modelNaming } from '../model/arm-names.ts'
import { metricsOf, type RunScorers } from '../model/metrics.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { allScorings } from '../model/scorings.ts'
import { groupCells, groupColumns } from './group-columns.ts'
import { compactCount, dollars, fineSeconds, seconds } from './numbers.ts'
import { facetNames, knownColumns, type ReportTable, readingOrder, right } from './report-table.ts'

/** Returns each group in its first scoring. Spending does not depend on the scoring. */
function firstScorings(groups: readonly ReportGroup[]): ReportGroup[] {
  const first = new Map<string, ReportGroup>()
  for (const group of groups) {
    const key = `${group.domain} ${armKey(group)}`
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

/** The groups to show, with the metrics and the facet that name them. */
export interface EfficiencySource {
  readonly groups: readonly ReportGroup[]
  readonly scorers: RunScorers
  readonly facet: string
}

/** Shows the mean cost of an attempt in tokens, calls and time, then in dollars and per correct item. */
export function efficiencyTables({ groups: all, scorers, facet }: EfficiencySource): ReportTable[] {
  const groups = firstScorings(all)
  const { itemNoun: noun } = metricsOf(scorers, groups[0]?.scorer ?? 'none')
  const tables = [
    table(
      `Tokens, calls and time per attempt ${allScorings(groups)}`,
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
      'Means over all attempts with a known value, including unscored ones. –: unknown for all. cached: part of the tokens in. working: seconds without waiting for rate limits and retries.',
    ),
    table(
      `Cost per attempt and per correct ${noun} ${allScorings(groups)}`,
      { groups, facet },
      [
        ['US$', group => dollars(group.usd)],
        ['model', group => dollars(group.efficiency.usdModel)],
        ['search', group => dollars(group.efficiency.usdSearch)],
        ['fetch', group => dollars(group.efficiency.usdFetch)],
        ['judge', group => dollars(group.efficiency.usdJudge)],
        [`correct ${noun}s`, group => compactCount(group.efficiency.correctCells)],
        [`tokens/${noun}`, group => compactCount(group.efficiency.tokensPerCorrectCell)],
        [`US$/${noun}`, group => dollars(group.efficiency.usdPerCorrectCell)],
        [`s/${noun}`, group => fineSeconds(group.efficiency.wallMsPerCorrectCell)],
      ],
      `US$: mean per attempt with a known cost, for model, search and fetch together. The judge is not included. /${noun}: what all scored attempts spent, divided by their correct ${noun}s. The mean of ${facetNames(facet)} is – when one of them has no correct ${noun} or an unknown cost.`,
    ),
  ]
  if (groups.some(group => group.scorer !== 'none')) return tables
  const named = groupColumns(modelNaming(groups), facet).length
  return tables.map(knownColumns).filter(one => one.columns.length > named)
}
