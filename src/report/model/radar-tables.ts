import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import type { RadarLayout } from '../../core/table-layout.ts'
import { computeMeanInterval } from '../../score/statistics/intervals.ts'
import type { ReportArms } from './arms.ts'
import type { RunBenchmarks } from './benchmark-tables.ts'
import { type Entry, groupByKey, isScored } from './entries.ts'
import { listMetricValues } from './measures.ts'
import { findMetric, type RunScorers } from './metrics.ts'
import type { RadarCell, RadarTable } from './report-rows.ts'

/** What the tables need besides the entries. */
interface RadarContext {
  readonly scorers: RunScorers
  readonly benchmarks: RunBenchmarks
  readonly arms: ReportArms
}

/** Computes the radar tables of the attempts' benchmarks. Leaves out tables without a scored attempt. */
export function makeRadarTables(entries: readonly Entry[], context: RadarContext): RadarTable[] {
  return Object.entries(context.benchmarks).flatMap(([name, { layouts }]) => {
    const subset = entries.filter(({ attempt }) => attempt.benchmark === name)
    return layouts.flatMap(layout => (layout.kind === 'radar' ? makeTables(layout, subset, context) : []))
  })
}

function makeTables(
  layout: RadarLayout,
  entries: readonly Entry[],
  { scorers, arms }: RadarContext,
): RadarTable[] {
  const fitting = entries.filter(({ key }) => layout.scorers.includes(key.scorer))
  const scorings = [...groupBy(fitting, ({ key }) => JSON.stringify([key.scorer, key.judge])).values()]
  return scorings
    .filter(scoringEntries => scoringEntries.some(isScored))
    .map((scoringEntries, at) => {
      const { scorer, judge } = scoringEntries[0]!.key
      const metrics = layout.axes.map(key => findMetric(scorers, scorer, key))
      return {
        id: at === 0 ? layout.id : `${layout.id}-${at + 1}`,
        ...{ title: layout.title, source: layout.source, scorer, judge, remark: layout.remark },
        axes: layout.axes.map((metric, axis) => ({ metric, label: metrics[axis]?.label ?? metric })),
        unit: metrics.find(metric => metric !== undefined)?.unit ?? 'points',
        range: findSharedRange(metrics),
        rows: groupByKey(scoringEntries).map(({ key, entries: group }) => ({
          ...{ arm: arms.idOf(key), setting: key.setting, model: key.model, options: key.options },
          unscored: group.filter(entry => !isScored(entry)).length,
          cells: layout.axes.map((metric, axis) => makeCell(group, metric, metrics[axis])),
        })),
      }
    })
}

function makeCell(entries: readonly Entry[], key: string, metric: MetricDefinition | undefined): RadarCell {
  const values = listMetricValues(entries, key)
  const none = { mean: null, low: null, high: null, components: 0 }
  return { ...(computeMeanInterval(values, metric?.range ?? [null, null]) ?? none), n: values.length }
}

/** The bounds of the metrics, where all of them have the same two bounds and unit, and larger values are better. */
function findSharedRange(metrics: readonly (MetricDefinition | undefined)[]): [number, number] | null {
  const knownMetrics = metrics.filter(metric => metric !== undefined)
  const [first] = knownMetrics
  const [least = null, most = null] = first?.range ?? []
  const isShared = knownMetrics.every(
    ({ range, unit, better }) =>
      range[0] === least && range[1] === most && unit === first?.unit && better === 'higher',
  )
  return least === null || most === null || !isShared ? null : [least, most]
}
