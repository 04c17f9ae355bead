import type { MetricDefinition } from '../../core/metric.ts'
import type { ArmsColumn, ArmsLayout, LayoutRows } from '../../core/table-layout.ts'
import { settingLabel } from '../model/arm-names.ts'
import { isOfflineOf } from '../model/degradation.ts'
import { type Entry, groupBy, isScored } from '../model/entries.ts'
import { facetOf, taskTypeFacet } from '../model/facets.ts'
import { reportGroups } from '../model/groups.ts'
import { metricNamed, metricsOf, type RunScorers } from '../model/metrics.ts'
import type { RunBenchmarks } from '../model/pooled-layouts.ts'
import type { ReportGroup } from '../model/report.ts'
import { scoringOf } from '../model/scorings.ts'
import { inUnits } from '../tables/metric-text.ts'
import { domainName } from '../tables/report-table.ts'
import { type Change, changesFrom } from './arm-changes.ts'

/** One number of a table as it is printed (a share in percent), its interval, and how many attempts it covers. */
export interface PaperCell {
  readonly domain: string
  /** The head of its column. */
  readonly metric: string
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  readonly valueUnscoredAsZero: number | null
  readonly n: number
  readonly unscored: number
  /** Against the row that it is compared with, over the tasks scored in both; '' for none or too small a change. */
  readonly arrow: '' | '↑' | '↓'
}

export interface PaperRow {
  readonly model: string
  readonly label: string
  readonly n: number
  readonly unscored: number
  readonly cells: readonly PaperCell[]
}

export interface PaperTable {
  /** The id of its layout, such as table3; with a number more where profiles or judges differ. */
  readonly id: string
  readonly title: string
  readonly profile: string
  readonly judge: string
  readonly rows: readonly PaperRow[]
  readonly remark: string
  /** The facet whose values its blocks of columns are. */
  readonly by: string
}

// Means of the same numbers in another order may differ by so little.
const noChange = 1e-9

/** A column with the metric that it is the mean of. */
interface Column {
  readonly head: string
  readonly metric: MetricDefinition
}

/** What marks the changes of a row against another. */
interface Arrows {
  readonly change: Change
  readonly above: number
}

function cellOf(group: ReportGroup, { head, metric }: Column, arrows: Arrows | null): PaperCell {
  const summary = group.metrics[metric.key]
  const printed = (value: number | null | undefined): number | null =>
    value === null || value === undefined ? null : inUnits(metric, value)
  const change = arrows === null ? 0 : arrows.change(group.domain, metric)
  const isMarked = arrows !== null && Math.abs(change) > arrows.above + noChange
  return {
    domain: group.domain,
    metric: head,
    value: printed(summary?.mean),
    low: printed(summary?.low),
    high: printed(summary?.high),
    valueUnscoredAsZero: printed(summary?.meanUnscoredAsZero),
    n: group.n,
    unscored: group.unscored,
    arrow: isMarked ? (change > 0 ? '↑' : '↓') : '',
  }
}

/** The groups of one setting, model and variant, by domain. */
interface Family {
  readonly setting: string
  readonly variant: string
  readonly model: string
  readonly groups: readonly ReportGroup[]
}

function familiesOf(groups: readonly ReportGroup[]): Family[] {
  const families = groupBy(
    groups.filter(group => group.domain !== 'all'),
    group => JSON.stringify([group.setting, group.variant, group.model]),
  )
  return [...families.values()].map(own => {
    const { setting, variant, model } = own[0]!
    return { setting, variant, model, groups: own }
  })
}

/** What the rows of one table are made of. */
interface TableSource {
  readonly columns: readonly Column[]
  readonly families: readonly Family[]
  /** Of the table's scoring; their domains are the values of its facet. */
  readonly entries: readonly Entry[]
  readonly scorers: RunScorers
}

function rowOf(
  label: string,
  family: Family,
  { columns }: Pick<TableSource, 'columns'>,
  arrows: Arrows | null = null,
): PaperRow {
  const whole = family.groups.find(group => group.domain === 'allByDomain')
  return {
    model: family.model,
    label,
    n: whole?.n ?? 0,
    unscored: whole?.unscored ?? 0,
    cells: family.groups.flatMap(group => columns.map(column => cellOf(group, column, arrows))),
  }
}

function rowsOf(rows: LayoutRows, source: TableSource): PaperRow[] {
  switch (rows.kind) {
    case 'arms':
      return armRows(rows, source)
    case 'settings':
      return settingRows(rows, source)
    case 'option':
      return optionRows(rows, source)
    default:
      return rows satisfies never
  }
}

/** Every arm of some settings, over all of its attempts or over parts of them. */
function armRows(
  { settings, parts }: Extract<LayoutRows, { kind: 'arms' }>,
  source: TableSource,
): PaperRow[] {
  const { families, entries, scorers } = source
  const shown = families.filter(({ setting }) => settings?.some(name => setting.startsWith(name)) !== false)
  if (parts === undefined) return shown.map(family => rowOf(settingLabel(family), family, source))
  const answered = familiesOf(
    reportGroups(
      entries.filter(entry => isScored(entry) && entry.score.answered),
      scorers,
    ),
  )
  return shown.flatMap(family =>
    parts.flatMap(({ label, attempts }) => {
      const own = attempts === 'all' ? family : answered.find(other => isSameArm(other, family))
      return own === undefined ? [] : [rowOf(`${settingLabel(family)}, ${label}`, own, source)]
    }),
  )
}

function isSameArm(a: Family, b: Family): boolean {
  return a.setting === b.setting && a.model === b.model && a.variant === b.variant
}

/** Each model and its options in one setting, then in another: arrows where a number changed by more than a threshold. */
function settingRows(
  { base, compared, arrowsAbove }: Extract<LayoutRows, { kind: 'settings' }>,
  source: TableSource,
): PaperRow[] {
  const { families, entries } = source
  return families
    .filter(family => family.setting === base)
    .flatMap(from => {
      const others = families.filter(
        family =>
          family.setting === compared &&
          family.model === from.model &&
          isOfflineOf(from.variant, family.variant),
      )
      if (others.length === 0) return []
      const label = from.variant === '' ? from.model : `${from.model} [${from.variant}]`
      return [
        rowOf(label, from, source),
        ...others.map(family => {
          const arrows = { change: changesFrom(family, from, entries), above: arrowsAbove }
          return rowOf(`+ ${settingLabel(family)}`, family, source, arrows)
        }),
      ]
    })
}

/** Each arm with an option, then the one without it. */
function optionRows(
  { option, label, arrowsAbove }: Extract<LayoutRows, { kind: 'option' }>,
  source: TableSource,
): PaperRow[] {
  const { families, entries } = source
  const partsOf = ({ variant }: Family): string[] => variant.split(',')
  return families
    .filter(family => partsOf(family).includes(option))
    .flatMap(family => {
      const variant = partsOf(family)
        .filter(part => part !== option)
        .join(',')
      const without = families.find(other => isSameArm(other, { ...family, variant }))
      if (without === undefined) return []
      const arrows = { change: changesFrom(without, family, entries), above: arrowsAbove }
      return [
        rowOf(settingLabel(family), family, source),
        rowOf(`${settingLabel(without)} ${label}`, without, source, arrows),
      ]
    })
}

/** Where the rows are of one model, their title names it. */
function onlyModel(rows: readonly PaperRow[]): string[] {
  const models = [...new Set(rows.map(row => row.model))]
  return models.length === 1 ? models.map(model => `model ${model}`) : []
}

/** What the tables of a comparison are made of. */
export interface ArmsTablesInput {
  readonly entries: readonly Entry[]
  /** By the facet of the comparison. */
  readonly groups: readonly ReportGroup[]
  readonly facet: string
  readonly scorers: RunScorers
  readonly benchmarks: RunBenchmarks
}

/** The tables of the benchmarks' papers for each profile and judge; one without rows is left out. */
export function armsTables(input: ArmsTablesInput): PaperTable[] {
  const scored = input.groups.filter(group => group.scored > 0)
  const scorings = [...groupBy(scored, group => JSON.stringify([group.profile, group.judge])).values()]
  return scorings.flatMap(([first], at) => {
    const { profile, judge } = first!
    const isOwn = (key: { profile: string; judge: string }) => key.profile === profile && key.judge === judge
    const entries = input.entries.filter(({ key }) => isOwn(key))
    const groups = input.groups.filter(isOwn)
    return layoutsFor(entries, profile, input).flatMap(layout => {
      const rows = tableRows(layout, profile, { ...input, entries, groups })
      const { id, title, remark = '', by = input.facet } = layout
      return rows.length === 0
        ? []
        : [
            {
              id: at === 0 ? id : `${id}-${at + 1}`,
              title: [title, scoringOf({ profile, judge }), ...onlyModel(rows)].join(', '),
              ...{ profile, judge, rows, remark, by },
            },
          ]
    })
  })
}

/** The layouts of the attempts' benchmarks that show a metric of the scorer, or the general ones. */
function layoutsFor(
  entries: readonly Entry[],
  profile: string,
  { scorers, benchmarks }: ArmsTablesInput,
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

/** For benchmarks without tables of their own: whether there is an answer, and the primary metric. */
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
      remark: 'Arrows: a change of more than 2 points against offline, over the tasks scored in both.',
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

/** A table by another facet than the comparison's is left out where that facet tells no more groups apart. */
function tableRows(layout: ArmsLayout, profile: string, input: ArmsTablesInput): PaperRow[] {
  const { scorers, facet } = input
  const columns = columnsOf(layout.columns, scorers, profile)
  const { by = facet } = layout
  if (by === facet) return rowsOf(layout.rows, { ...input, columns, families: familiesOf(input.groups) })
  const entries = withFacet(input.entries, by)
  const valuesIn = (some: readonly Entry[]): number => new Set(some.map(({ attempt }) => attempt.domain)).size
  if (valuesIn(entries) <= valuesIn(input.entries)) return []
  return rowsOf(layout.rows, {
    columns,
    entries,
    scorers,
    families: familiesOf(reportGroups(entries, scorers)),
  })
}

/** The entries with the value of a facet in place of their domain; those without the facet keep theirs. */
export function withFacet(entries: readonly Entry[], facet: string): Entry[] {
  return entries.map(entry => {
    const domain = facetOf(entry.attempt, facet) ?? entry.attempt.domain
    return { ...entry, attempt: { ...entry.attempt, domain } }
  })
}

/** The domains of a table, in reading order; the mean of the domains last. */
export function paperDomains(table: PaperTable): string[] {
  const domains = new Set(table.rows.flatMap(row => row.cells.map(cell => cell.domain)))
  return [...domains].sort(
    (a, b) => Number(a === 'allByDomain') - Number(b === 'allByDomain') || (a < b ? -1 : 1),
  )
}

export function paperDomainName(domain: string, facet: string): string {
  return domain === 'allByDomain' ? 'mean' : domainName(domain, facet)
}
