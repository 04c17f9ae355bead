import type { MetricDefinition, MetricUnit } from '../../core/metric.ts'
import type { RadarLayout } from '../../core/table-layout.ts'
import { meanInterval } from '../../score/statistics/intervals.ts'
import type { ReportArms } from './arms.ts'
import { type Entry, groupBy, groupByKey, isScored } from './entries.ts'
import { metricValues } from './measures.ts'
import { metricNamed, type RunScorers } from './metrics.ts'
import type { RunBenchmarks } from './pooled-layouts.ts'
import type { GroupKey, Measure } from './report-group.ts'

/** An axis of a radar chart, which is a column of its table. */
export interface RadarAxis {
  /** The key of its metric. */
  readonly metric: string
  readonly label: string
}

/** The mean of an arm in one metric. */
export interface RadarCell extends Pick<Measure, 'mean' | 'low' | 'high'> {
  /** The number of scored attempts with a value. */
  readonly n: number
  /** The number of groups of tasks that share documents: the units of the interval. */
  readonly components: number
}

/** An arm with a cell for each axis. */
export interface RadarRow extends Pick<GroupKey, 'setting' | 'model' | 'variant'> {
  /** The id of the arm. */
  readonly arm: string
  readonly unscored: number
  readonly cells: readonly RadarCell[]
}

/** A table whose columns are the axes of a radar chart, for one scorer and judge. */
export interface RadarTable {
  /** The id of its layout, with a number for further scorings. */
  readonly id: string
  readonly title: string
  readonly source: string
  readonly profile: string
  readonly judge: string
  readonly axes: readonly RadarAxis[]
  readonly unit: MetricUnit
  /** The bounds that all axes share. Null when they differ or are unknown, so that no chart can be drawn. */
  readonly range: readonly [least: number, most: number] | null
  readonly rows: readonly RadarRow[]
  readonly remark: string
}

/** What the tables need besides the entries. */
interface RadarContext {
  readonly scorers: RunScorers
  readonly benchmarks: RunBenchmarks
  readonly arms: ReportArms
}

/** Computes the radar tables of the attempts' benchmarks. Leaves out tables without a scored attempt. */
export function radarTables(entries: readonly Entry[], context: RadarContext): RadarTable[] {
  return Object.entries(context.benchmarks).flatMap(([name, { layouts }]) => {
    const own = entries.filter(({ attempt }) => attempt.benchmark === name)
    return layouts.flatMap(layout => (layout.kind === 'radar' ? tablesOf(layout, own, context) : []))
  })
}

function tablesOf(
  layout: RadarLayout,
  entries: readonly Entry[],
  { scorers, arms }: RadarContext,
): RadarTable[] {
  const fitting = entries.filter(({ key }) => layout.scorers.includes(key.profile))
  const scorings = [...groupBy(fitting, ({ key }) => JSON.stringify([key.profile, key.judge])).values()]
  return scorings
    .filter(own => own.some(isScored))
    .map((own, at) => {
      const { profile, judge } = own[0]!.key
      const metrics = layout.axes.map(key => metricNamed(scorers, profile, key))
      return {
        id: at === 0 ? layout.id : `${layout.id}-${at + 1}`,
        ...{ title: layout.title, source: layout.source, profile, judge, remark: layout.remark },
        axes: layout.axes.map((metric, axis) => ({ metric, label: metrics[axis]?.label ?? metric })),
        unit: metrics.find(metric => metric !== undefined)?.unit ?? 'points',
        range: sharedRange(metrics),
        rows: groupByKey(own).map(({ key, entries: group }) => ({
          ...{ arm: arms.idOf(key), setting: key.setting, model: key.model, variant: key.variant },
          unscored: group.filter(entry => !isScored(entry)).length,
          cells: layout.axes.map((metric, axis) => cellOf(group, metric, metrics[axis])),
        })),
      }
    })
}

function cellOf(entries: readonly Entry[], key: string, metric: MetricDefinition | undefined): RadarCell {
  const values = metricValues(entries, key)
  const {
    mean = null,
    low = null,
    high = null,
    components = 0,
  } = meanInterval(values, metric?.range ?? [null, null]) ?? {}
  return { mean, low, high, n: values.length, components }
}

/** The bounds of the metrics, where all of them have the same two bounds and unit, and larger values are better. */
function sharedRange(metrics: readonly (MetricDefinition | undefined)[]): [number, number] | null {
  const known = metrics.filter(metric => metric !== undefined)
  const [first] = known
  const [least = null, most = null] = first?.range ?? []
  const isShared = known.every(
    ({ range, unit, better }) =>
      range[0] === least && range[1] === most && unit === first?.unit && better === 'higher',
  )
  return least === null || most === null || !isShared ? null : [least, most]
}
