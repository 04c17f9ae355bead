import { groupBy } from '../../core/group-by.ts'
import { answeredMetric, type MetricDefinition, successMetric } from '../../core/metric.ts'
import type { ArmsLayout } from '../../core/table-layout.ts'
import type { RunBenchmarks } from '../model/benchmark-tables.ts'
import { selectCommonEntries } from '../model/common-tasks.ts'
import type { Entry } from '../model/entries.ts'
import { readFacet, taskTypeFacet } from '../model/facets.ts'
import { reportGroups } from '../model/groups.ts'
import { findMetric, listScoringMetrics, type RunScorers } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { nameScoring } from '../model/scorings.ts'
import { withAgreement } from '../tables/judge-text.ts'
import { groupFamilies, listLayoutRows } from './paper-rows.ts'
import type { PaperRow, PaperTable } from './paper-table.ts'

/** Returns the model for the title if all rows have the same one. */
function listOnlyModel(rows: readonly PaperRow[]): string[] {
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
}

/** The entries of one scoring from which tables are made. */
interface PaperTablePart {
  readonly entries: readonly Entry[]
  readonly groups: readonly ReportGroup[]
  /** What the ids and the titles of its tables end with. */
  readonly idEnd: string
  readonly titleEnd: readonly string[]
}

/**
 * Makes the tables of the benchmarks' papers for each scorer and judge. Where the arms scored different tasks, each table is
 * first over the tasks that all arms scored, then over all tasks of each arm. Leaves out tables without rows.
 */
export function makePaperTables(input: PaperTablesInput): PaperTable[] {
  const scored = input.groups.filter(group => group.scored > 0)
  const scorings = [...groupBy(scored, nameScoring).keys()]
  const common = groupBy(selectCommonEntries(input.entries, input.scorers), ({ key }) => nameScoring(key))
  return scorings.flatMap((scoring, at) => {
    const entries = input.entries.filter(({ key }) => nameScoring(key) === scoring)
    const groups = input.groups.filter(group => nameScoring(group) === scoring)
    const shared = common.get(scoring) ?? []
    const number = at === 0 ? '' : `-${at + 1}`
    const ownTasks: PaperTablePart = {
      entries,
      groups,
      idEnd: number,
      titleEnd: shared.length === 0 ? [] : ['own tasks of each arm'],
    }
    const layouts = listLayouts(entries, entries[0]!.key.scorer, input)
    return layouts.flatMap(layout => {
      if (!isShown(layout, layouts, { ...input, entries })) return []
      const parts = shared.length === 0 ? [ownTasks] : [makeCommonPart(shared, number, input), ownTasks]
      return parts.flatMap(part => makePaperTable(layout, part, input) ?? [])
    })
  })
}

/** Returns the part of a scoring over the tasks that all arms scored. */
function makeCommonPart(
  entries: readonly Entry[],
  number: string,
  { scorers }: PaperTablesInput,
): PaperTablePart {
  const tasks = new Set(entries.map(({ attempt }) => attempt.taskId)).size
  return {
    entries,
    groups: reportGroups(entries, scorers),
    idEnd: `${number}-common`,
    titleEnd: [
      tasks === 1 ? 'the only task that all arms scored' : `the ${tasks} tasks that all arms scored`,
    ],
  }
}

/** Makes the table of a layout. Null without rows. */
function makePaperTable(
  layout: OwnedLayout,
  part: PaperTablePart,
  input: PaperTablesInput,
): PaperTable | null {
  const { entries } = part
  const { scorer, judge } = entries[0]!.key
  const metrics = listMetrics(layout, input.scorers, scorer)
  const rows = listTableRows(layout, metrics, { ...input, ...part })
  const { id, title, remark = '', by = input.facet, benchmark } = layout
  if (rows.length === 0) return null
  const titleParts = [title, ...part.titleEnd, nameScoring({ scorer, judge }), ...listOnlyModel(rows)]
  return {
    id: `${id}${part.idEnd}`,
    title: withAgreement(input, titleParts.join(', ')),
    ...{ benchmark, scorer, judge, rows, by },
    hasOtherTasks: benchmark !== null && entries.some(({ attempt }) => attempt.benchmark !== benchmark),
    remark: [remark, ...(judge === 'rules' ? listRulesRemarks(entries, input) : [])]
      .filter(text => text !== '')
      .join(' '),
    columns: metrics.map(({ key, label, unit }) => ({ metric: key, label, unit })),
  }
}

/** A layout with the benchmark in whose paper it is. Null: a general layout. */
type OwnedLayout = ArmsLayout & { readonly benchmark: string | null }

/** Says what the judge `rules` changes, for the benchmarks whose papers do not have it. */
function listRulesRemarks(entries: readonly Entry[], { benchmarks }: PaperTablesInput): string[] {
  const names = new Set(entries.map(({ attempt }) => attempt.benchmark))
  return [...names].flatMap(name => benchmarks[name]?.rulesRemark ?? [])
}

/** Returns the layouts of the attempts' benchmarks that show a metric of the scorer, or else the general layouts. */
function listLayouts(
  entries: readonly Entry[],
  scorer: string,
  { scorers, benchmarks }: PaperTablesInput,
): readonly OwnedLayout[] {
  const isOfScorer = (metric: MetricDefinition): boolean =>
    metric !== answeredMetric && metric !== successMetric
  const names = [...new Set(entries.map(({ attempt }) => attempt.benchmark))]
  const layouts = names.flatMap(name =>
    (benchmarks[name]?.layouts ?? []).map(layout => ({ ...layout, benchmark: name })),
  )
  const fitting = layouts.flatMap(layout =>
    layout.kind === 'arms' && listMetrics(layout, scorers, scorer).some(isOfScorer) ? [layout] : [],
  )
  const byId = new Map(fitting.toReversed().map(layout => [layout.id, layout]))
  return byId.size > 0
    ? [...byId.values()].reverse()
    : listGeneralLayouts(scorers, scorer).map(layout => ({ ...layout, benchmark: null }))
}

/** Returns layouts for benchmarks without their own tables: the share of answers and the primary metric. */
function listGeneralLayouts(scorers: RunScorers, scorer: string): readonly ArmsLayout[] {
  const { primary, columns: shown } = listScoringMetrics(scorers, scorer)
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
function listMetrics({ columns }: ArmsLayout, scorers: RunScorers, scorer: string): MetricDefinition[] {
  return columns.flatMap(key => findMetric(scorers, scorer, key) ?? [])
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
    return countDomains(withFacet(entries, layoutFacet)) > countDomains(entries)
  const values = new Set(entries.flatMap(({ attempt }) => readFacet(attempt, layoutFacet) ?? []))
  return layout === layouts[0] ? values.size > 0 : values.size > 1
}

function dropMean(row: PaperRow): PaperRow {
  return { ...row, cells: row.cells.filter(({ domain }) => domain !== 'allByDomain') }
}

function countDomains(entries: readonly Entry[]): number {
  return new Set(entries.map(({ attempt }) => attempt.domain)).size
}

function listTableRows(
  layout: ArmsLayout,
  metrics: readonly MetricDefinition[],
  input: PaperTablesInput,
): PaperRow[] {
  const { scorers, facet } = input
  const { by = facet } = layout
  const entries = by === facet ? input.entries : withFacet(input.entries, by)
  const groups = by === facet ? input.groups : reportGroups(entries, scorers)
  const rows = listLayoutRows(layout.rows, { metrics, entries, scorers, families: groupFamilies(groups) })
  return layout.withoutMean === true ? rows.map(dropMean) : rows
}

/** Replaces the domain of each entry with its value for a facet. Entries without the facet keep their domain. */
export function withFacet(entries: readonly Entry[], facet: string): Entry[] {
  return entries.map(entry => {
    const domain = readFacet(entry.attempt, facet) ?? entry.attempt.domain
    return { ...entry, attempt: { ...entry.attempt, domain } }
  })
}
