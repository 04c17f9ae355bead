import { groupBy } from '../../core/group-by.ts'
import type { CorrelationsLayout, FacetCurveLayout } from '../../core/table-layout.ts'
import { computeClusterMeans, computeMean } from '../../score/statistics/clusters.ts'
import { spearman } from '../../score/statistics/correlation.ts'
import { computeMeanInterval } from '../../score/statistics/intervals.ts'
import type { RunBenchmarks } from './benchmark-tables.ts'
import { compareText, type Entry, groupByKey } from './entries.ts'
import { readFacet } from './facets.ts'
import { listMetricValues } from './measures.ts'
import { listScoringMetrics, type RunScorers } from './metrics.ts'
import type { GroupKey } from './report-group.ts'

/** A place on the axis of a facet. */
interface Bin {
  /** The value of the facet, or the median of a bin. */
  readonly x: number
  /** The least and the greatest value of the bin. Both are `x` without bins. */
  readonly from: number
  readonly to: number
}

/** The mean of a metric over the tasks whose facet has one value, or a value in one bin. */
interface FacetPoint extends Bin {
  readonly mean: number
  readonly low: number | null
  readonly high: number | null
  /** Attempts with a value of the metric. */
  readonly n: number
  /** Attempts without one. */
  readonly unscored: number
  /** The number of groups of tasks that share documents. */
  readonly components: number
}

/** A line of a figure: the primary metric of one arm by a facet whose values are numbers. */
export interface FacetCurve extends GroupKey {
  /** The id of its layout. */
  readonly id: string
  readonly source: string
  readonly facet: string
  /** The name of the axis. */
  readonly name: string
  readonly remark: string
  /** The key of the metric. */
  readonly metric: string
  readonly points: readonly FacetPoint[]
}

/** A facet with more different values is drawn as bins. */
const mostValues = 10
const bins = 8

/** Computes the curves that the attempts' benchmarks declare. Leaves out facets with fewer than two values. */
export function makeFacetCurves(
  entries: readonly Entry[],
  benchmarks: RunBenchmarks,
  scorers: RunScorers,
): FacetCurve[] {
  return Object.entries(benchmarks).flatMap(([name, { layouts }]) => {
    const subset = entries.filter(({ attempt }) => attempt.benchmark === name)
    return layouts.flatMap(layout =>
      layout.kind === 'facet-curve' ? makeCurves(layout, subset, scorers) : [],
    )
  })
}

/** Returns an attempt's value for a facet as a number. Null when it has none. */
function readFacetNumber({ attempt }: Entry, facet: string): number | null {
  const text = readFacet(attempt, facet)?.trim() ?? ''
  const value = Number(text)
  return text !== '' && Number.isFinite(value) ? value : null
}

function makeCurves(
  { id, source, by, name, remark = '' }: FacetCurveLayout,
  entries: readonly Entry[],
  scorers: RunScorers,
): FacetCurve[] {
  const placed = entries.filter(entry => readFacetNumber(entry, by) !== null)
  const places = makeBins(new Map(placed.map(entry => [entry.attempt.taskId, readFacetNumber(entry, by)!])))
  if (places.length < 2) return []
  return groupByKey(placed).flatMap(({ key, entries: armEntries }) => {
    const { primary } = listScoringMetrics(scorers, key.scorer)
    if (primary === null) return []
    const points = places.flatMap(({ x, from, to }): FacetPoint[] => {
      const within = armEntries.filter(entry => {
        const value = readFacetNumber(entry, by)!
        return from <= value && value <= to
      })
      const values = listMetricValues(within, primary.key)
      const interval = computeMeanInterval(values, primary.range)
      const [n, unscored] = [values.length, within.length - values.length]
      return interval === null ? [] : [{ x, from, to, ...interval, n, unscored }]
    })
    const curve = { id, source, facet: by, name, remark, metric: primary.key, points }
    return points.length === 0 ? [] : [{ ...key, ...curve }]
  })
}

/** Makes a bin for each value, or bins with about equal numbers of tasks. Equal values share a bin. */
function makeBins(valueOfTask: ReadonlyMap<string, number>): Bin[] {
  const values = [...valueOfTask.values()].sort((a, b) => a - b)
  const first = new Map(values.toReversed().map((value, at) => [value, values.length - 1 - at]))
  if (first.size <= mostValues) return [...first.keys()].sort((a, b) => a - b).map(findBin)
  const numberOf = (value: number): number => {
    const middle = (first.get(value)! + values.lastIndexOf(value) + 1) / 2
    return Math.floor((bins * middle) / values.length)
  }
  return [...groupBy(values, value => String(numberOf(value))).values()].map(bin => findSharedBin(bin))
}

const findBin = (value: number): Bin => ({ x: value, from: value, to: value })

function findSharedBin(sorted: readonly number[]): Bin {
  const half = sorted.length / 2
  const x = computeMean([sorted[Math.ceil(half) - 1]!, sorted[Math.floor(half)]!])
  return { x, from: sorted[0]!, to: sorted.at(-1)! }
}

/** How the primary metric of one arm depends on facets whose values are numbers, over the tasks with one value of a facet. */
export interface CorrelationRow extends GroupKey {
  /** The id of its layout. */
  readonly id: string
  readonly title: string
  readonly source: string
  /** The facet, and its value; `all` for all tasks. */
  readonly by: string
  readonly value: string
  /** The key of the metric. */
  readonly metric: string
  /** Tasks with a score and a number in every column. */
  readonly n: number
  /** Spearman's rho. Null when one side is the same for all tasks. */
  readonly columns: readonly { readonly head: string; readonly facet: string; readonly rho: number | null }[]
}

/** Computes the correlations that the attempts' benchmarks declare, by facet value and then by arm, all tasks last. */
export function listFacetCorrelations(
  entries: readonly Entry[],
  benchmarks: RunBenchmarks,
  scorers: RunScorers,
): CorrelationRow[] {
  return Object.entries(benchmarks).flatMap(([name, { layouts }]) => {
    const subset = entries.filter(({ attempt }) => attempt.benchmark === name)
    return layouts.flatMap(layout =>
      layout.kind === 'correlations' ? correlate(layout, subset, scorers) : [],
    )
  })
}

function correlate(
  layout: CorrelationsLayout,
  entries: readonly Entry[],
  scorers: RunScorers,
): CorrelationRow[] {
  const whole = entries.filter(entry =>
    layout.columns.every(({ facet }) => readFacetNumber(entry, facet) !== null),
  )
  const named = groupBy(whole, ({ attempt }) => readFacet(attempt, layout.by) ?? attempt.domain)
  const groups = [...[...named].sort(([a], [b]) => compareText(a, b)), ['all', whole] as const]
  const rows = groups.flatMap(([value, groupEntries]) =>
    groupByKey(groupEntries).flatMap(arm => correlateArm(layout, value, arm, scorers)),
  )
  return rows.some(({ columns }) => columns.some(({ rho }) => rho !== null)) ? rows : []
}

function correlateArm(
  { id, title, source, by, columns }: CorrelationsLayout,
  value: string,
  { key, entries }: ReturnType<typeof groupByKey>[number],
  scorers: RunScorers,
): CorrelationRow[] {
  const { primary } = listScoringMetrics(scorers, key.scorer)
  if (primary === null) return []
  const scores = computeClusterMeans(listMetricValues(entries, primary.key))
  const first = new Map(entries.toReversed().map(entry => [entry.attempt.taskId, entry]))
  const tasks = [...scores.keys()]
  const rhoOf = (facet: string): number | null =>
    spearman(
      tasks.map(task => readFacetNumber(first.get(task)!, facet)!),
      tasks.map(task => scores.get(task)!),
    )
  const cells = columns.map(({ head, facet }) => ({ head, facet, rho: rhoOf(facet) }))
  return [{ ...key, id, title, source, by, value, metric: primary.key, n: tasks.length, columns: cells }]
}
