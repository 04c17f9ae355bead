import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import type { ArmsLayout } from '../../core/table-layout.ts'
import type { RunBenchmarks } from '../model/benchmark-tables.ts'
import type { Entry } from '../model/entries.ts'
import { facetValue, taskTypeFacet } from '../model/facets.ts'
import { reportGroups } from '../model/groups.ts'
import { metricNamed, type RunScorers, scoringMetrics } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { nameScoring } from '../model/scorings.ts'
import { withAgreement } from '../tables/judge-text.ts'
import { groupFamilies, layoutRows } from './paper-rows.ts'
import type { PaperRow, PaperTable } from './paper-table.ts'

/** Returns the model for the title if all rows have the same one. */
function onlyModel(rows: readonly PaperRow[]): string[] {
  const models = [...new Set(rows.map(row => row.model))]
  return models.length === 1 ? models.map(model => `model ${model}`) : []
}

/** The data from which the tables of a comparison are made. */
interface PaperTablesInput {
  readonly entries: readonly Entry[]
  /** Groups by the facet of the comparison. */
  readonly groups: readonly ReportGroup[]
  readonly facet: string
  readonly scorers: RunScorers
  readonly benchmarks: RunBenchmarks
  readonly judgeAgreements: Report['judgeAgreements']
  readonly common: Report['common']
}

/** Makes the tables of the benchmarks' papers for each scorer and judge. Leaves out tables without rows. */
export function paperTables(input: PaperTablesInput): PaperTable[] {
  const scored = input.groups.filter(group => group.scored > 0)
  const scorings = [...groupBy(scored, group => JSON.stringify([group.scorer, group.judge])).values()]
  return scorings.flatMap(([first], at) => {
    const { scorer, judge } = first!
    const isOwn = (key: { scorer: string; judge: string }) => key.scorer === scorer && key.judge === judge
    const entries = input.entries.filter(({ key }) => isOwn(key))
    const groups = input.groups.filter(isOwn)
    const layouts = layoutsFor(entries, scorer, input)
    return layouts.flatMap(layout => {
      if (!isShown(layout, layouts, { ...input, entries })) return []
      const metrics = metricsIn(layout, input.scorers, scorer)
      const rows = tableRows(layout, metrics, { ...input, entries, groups })
      const { id, title, remark = '', by = input.facet } = layout
      return rows.length === 0
        ? []
        : [
            {
              id: at === 0 ? id : `${id}-${at + 1}`,
              title: withAgreement(
                input,
                [title, nameScoring({ scorer, judge }), ...onlyModel(rows)].join(', '),
              ),
              ...{ scorer, judge, rows, by },
              remark: [
                remark,
                ...(judge === 'rules' ? rulesRemarks(entries, input) : []),
                ...(input.common.some(isOwn) ? [unequalRemark] : []),
              ]
                .filter(text => text !== '')
                .join(' '),
              columns: metrics.map(({ key, label, unit }) => ({ metric: key, label, unit })),
            },
          ]
    })
  })
}

const unequalRemark =
  'The arms scored different tasks, so their means here cannot be compared. The rows "common tasks" of the comparison over all tasks can.'

/** Says what the judge `rules` changes, for the benchmarks whose papers do not have it. */
function rulesRemarks(entries: readonly Entry[], { benchmarks }: PaperTablesInput): string[] {
  const names = new Set(entries.map(({ attempt }) => attempt.benchmark))
  return [...names].flatMap(name => benchmarks[name]?.rulesRemark ?? [])
}

/** Returns the layouts of the attempts' benchmarks that show a metric of the scorer, or else the general layouts. */
function layoutsFor(
  entries: readonly Entry[],
  scorer: string,
  { scorers, benchmarks }: PaperTablesInput,
): readonly ArmsLayout[] {
  const scorerMetrics = new Set(scoringMetrics(scorers, scorer).all.slice(2))
  const names = [...new Set(entries.map(({ attempt }) => attempt.benchmark))]
  const layouts = names.flatMap(name => benchmarks[name]?.layouts ?? [])
  const fitting = layouts.flatMap(layout =>
    layout.kind === 'arms' && metricsIn(layout, scorers, scorer).some(metric => scorerMetrics.has(metric))
      ? [layout]
      : [],
  )
  const byId = new Map(fitting.toReversed().map(layout => [layout.id, layout]))
  return byId.size > 0 ? [...byId.values()].reverse() : generalLayouts(scorers, scorer)
}

/** Returns layouts for benchmarks without their own tables: the share of answers and the primary metric. */
function generalLayouts(scorers: RunScorers, scorer: string): readonly ArmsLayout[] {
  const { primary, columns: shown } = scoringMetrics(scorers, scorer)
  const columns = shown.filter((metric, at) => at === 0 || metric === primary).map(({ key }) => key)
  const common = { kind: 'arms', source: '', columns } as const
  return [
    { ...common, id: 'settings', title: 'Settings', rows: { kind: 'arms' } },
    {
      ...common,
      id: 'rag',
      title: 'Offline against RAG',
      rows: { kind: 'settings', base: 'offline', compared: 'rag', arrowsAbove: 2 },
      remark: 'Arrows: changes of more than 2 points against offline, over the tasks scored in both.',
    },
    {
      ...common,
      id: 'task-types',
      title: 'Settings by task type',
      by: taskTypeFacet,
      rows: { kind: 'arms' },
    },
  ]
}

/** Returns the metrics of a layout that the scorer has. */
function metricsIn({ columns }: ArmsLayout, scorers: RunScorers, scorer: string): MetricDefinition[] {
  return columns.flatMap(key => metricNamed(scorers, scorer, key) ?? [])
}

/**
 * Whether the facet of a table divides the attempts further than the tables by the facet of the comparison do. Without such
 * tables, the first table is shown, and further ones whose facet has several values.
 */
function isShown(
  layout: ArmsLayout,
  layouts: readonly ArmsLayout[],
  { entries, facet }: PaperTablesInput,
): boolean {
  const facetIn = ({ by = facet }: ArmsLayout): string => by
  const layoutFacet = facetIn(layout)
  if (layoutFacet === facet) return true
  if (layouts.some(candidate => facetIn(candidate) === facet))
    return domainsIn(withFacet(entries, layoutFacet)) > domainsIn(entries)
  const values = new Set(entries.flatMap(({ attempt }) => facetValue(attempt, layoutFacet) ?? []))
  return layout === layouts[0] ? values.size > 0 : values.size > 1
}

function withoutMean(row: PaperRow): PaperRow {
  return { ...row, cells: row.cells.filter(({ domain }) => domain !== 'allByDomain') }
}

function domainsIn(entries: readonly Entry[]): number {
  return new Set(entries.map(({ attempt }) => attempt.domain)).size
}

function tableRows(
  layout: ArmsLayout,
  metrics: readonly MetricDefinition[],
  input: PaperTablesInput,
): PaperRow[] {
  const { scorers, facet } = input
  const { by = facet } = layout
  const entries = by === facet ? input.entries : withFacet(input.entries, by)
  const groups = by === facet ? input.groups : reportGroups(entries, scorers)
  const rows = layoutRows(layout.rows, { metrics, entries, scorers, families: groupFamilies(groups) })
  return layout.withoutMean === true ? rows.map(withoutMean) : rows
}

/** Replaces the domain of each entry with its value for a facet. Entries without the facet keep their domain. */
export function withFacet(entries: readonly Entry[], facet: string): Entry[] {
  return entries.map(entry => {
    const domain = facetValue(entry.attempt, facet) ?? entry.attempt.domain
    return { ...entry, attempt: { ...entry.attempt, domain } }
  })
}
