import type { ArmsColumn, ArmsLayout } from '../../core/table-layout.ts'
import { type Entry, groupBy } from '../model/entries.ts'
import { facetOf, taskTypeFacet } from '../model/facets.ts'
import { reportGroups } from '../model/groups.ts'
import { metricNamed, metricsOf, type RunScorers } from '../model/metrics.ts'
import type { RunBenchmarks } from '../model/pooled-layouts.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { scoringOf } from '../model/scorings.ts'
import { type Column, familiesOf, rowsOf } from './paper-rows.ts'
import type { PaperColumn, PaperRow, PaperTable } from './paper-table.ts'

/** Returns the model for the title if all rows have the same one. */
function onlyModel(rows: readonly PaperRow[]): string[] {
  const models = [...new Set(rows.map(row => row.model))]
  return models.length === 1 ? models.map(model => `model ${model}`) : []
}

/** The data from which the tables of a comparison are made. */
export interface PaperTablesInput {
  readonly entries: readonly Entry[]
  /** Groups by the facet of the comparison. */
  readonly groups: readonly ReportGroup[]
  readonly facet: string
  readonly scorers: RunScorers
  readonly benchmarks: RunBenchmarks
}

/** Makes the tables of the benchmarks' papers for each scorer and judge. Leaves out tables without rows. */
export function paperTables(input: PaperTablesInput): PaperTable[] {
  const scored = input.groups.filter(group => group.scored > 0)
  const scorings = [...groupBy(scored, group => JSON.stringify([group.profile, group.judge])).values()]
  return scorings.flatMap(([first], at) => {
    const { profile, judge } = first!
    const isOwn = (key: { profile: string; judge: string }) => key.profile === profile && key.judge === judge
    const entries = input.entries.filter(({ key }) => isOwn(key))
    const groups = input.groups.filter(isOwn)
    return layoutsFor(entries, profile, input).flatMap((layout, number) => {
      const columns = columnsOf(layout.columns, input.scorers, profile)
      const rows = tableRows(layout, columns, { ...input, entries, groups, isFirst: number === 0 })
      const { id, title, remark = '', by = input.facet } = layout
      return rows.length === 0
        ? []
        : [
            {
              id: at === 0 ? id : `${id}-${at + 1}`,
              title: [title, scoringOf({ profile, judge }), ...onlyModel(rows)].join(', '),
              ...{ profile, judge, columns: columns.map(paperColumn), rows, remark, by },
            },
          ]
    })
  })
}

/** Returns the layouts of the attempts' benchmarks that show a metric of the scorer, or else the general layouts. */
function layoutsFor(
  entries: readonly Entry[],
  profile: string,
  { scorers, benchmarks }: PaperTablesInput,
): readonly ArmsLayout[] {
  const own = new Set(metricsOf(scorers, profile).all.slice(2))
  const names = [...new Set(entries.map(({ attempt }) => attempt.benchmark))]
  const layouts = names.flatMap(name => benchmarks[name]?.layouts ?? [])
  const fitting = layouts.flatMap(layout =>
    layout.kind === 'arms' &&
    columnsOf(layout.columns, scorers, profile).some(({ metric }) => own.has(metric))
      ? [layout]
      : [],
  )
  const byId = new Map(fitting.toReversed().map(layout => [layout.id, layout]))
  return byId.size > 0 ? [...byId.values()].reverse() : generalLayouts(scorers, profile)
}

/** Returns layouts for benchmarks without their own tables: the share of answers and the primary metric. */
function generalLayouts(scorers: RunScorers, profile: string): readonly ArmsLayout[] {
  const { primary, columns: shown } = metricsOf(scorers, profile)
  const columns = shown
    .filter((metric, at) => at === 0 || metric === primary)
    .map(({ key, label }) => ({ head: label, metric: key }))
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

function columnsOf(columns: readonly ArmsColumn[], scorers: RunScorers, profile: string): Column[] {
  return columns.flatMap(({ head, metric: key }) => {
    const metric = metricNamed(scorers, profile, key)
    return metric === undefined ? [] : [{ head, metric }]
  })
}

function paperColumn({ head, metric: { key, label, unit } }: Column): PaperColumn {
  return { head, metric: key, label, unit }
}

/** The data of a table, and whether its layout is the first of its benchmark. */
type TableInput = PaperTablesInput & { readonly isFirst: boolean }

/**
 * Makes the rows of a table. Returns none if the table's own facet has one value only, unless the table is the first of its
 * benchmark. Task types must also be more than the values by which the comparison groups.
 */
function tableRows(layout: ArmsLayout, columns: readonly Column[], input: TableInput): PaperRow[] {
  const { scorers, facet, isFirst } = input
  const { by = facet } = layout
  if (by === facet) return rowsOf(layout.rows, { ...input, columns, families: familiesOf(input.groups) })
  const entries = withFacet(input.entries, by)
  const domainsIn = (some: readonly Entry[]): number =>
    new Set(some.map(({ attempt }) => attempt.domain)).size
  const values = new Set(input.entries.flatMap(({ attempt }) => facetOf(attempt, by) ?? []))
  const isShown =
    by === taskTypeFacet ? domainsIn(entries) > domainsIn(input.entries) : values.size > (isFirst ? 0 : 1)
  if (!isShown) return []
  return rowsOf(layout.rows, {
    columns,
    entries,
    scorers,
    families: familiesOf(reportGroups(entries, scorers)),
  })
}

/** Replaces the domain of each entry with its value for a facet. Entries without the facet keep their domain. */
export function withFacet(entries: readonly Entry[], facet: string): Entry[] {
  return entries.map(entry => {
    const domain = facetOf(entry.attempt, facet) ?? entry.attempt.domain
    return { ...entry, attempt: { ...entry.attempt, domain } }
  })
}
