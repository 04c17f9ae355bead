import {
  answeredMetric,
  itemNouns,
  type MetricDefinition,
  type ScorerMetrics,
  successMetric,
} from '../../core/metric.ts'
import type { Score } from '../../core/score.ts'

/** What the scorers of a run measure, by the scorer's name. Every number of a report comes from these. */
export type RunScorers = Readonly<Record<string, ScorerMetrics>>

/** The metrics of one scorer in the orders in which reports show them. None where nothing was scored. */
export interface ScoringMetrics {
  /** What an item of the gold is called: `cell`. */
  readonly itemNoun: string
  /** The metric that a comparison is about; null where nothing was scored. */
  readonly primary: MetricDefinition | null
  /** What says how good an answer is, in the order of rows: the primary metric first. */
  readonly scores: readonly MetricDefinition[]
  /** What has differences and trials: the scores, then `answered` and `success`. */
  readonly compared: readonly MetricDefinition[]
  /** Columns of a table: `answered`, `success`, the other scores, the primary metric last. */
  readonly columns: readonly MetricDefinition[]
  /** Metrics that qualify the scores and have a column of their own. */
  readonly companions: readonly MetricDefinition[]
  /** Every metric that a record has a value for, `answered` and `success` included. */
  readonly all: readonly MetricDefinition[]
}

const nothing: ScoringMetrics = {
  itemNoun: 'item',
  primary: null,
  scores: [],
  compared: [],
  columns: [],
  companions: [],
  all: [],
}

const known = new WeakMap<ScorerMetrics, ScoringMetrics>()

/** The metrics of a scorer by its name; none for `none`, the name where nothing was scored. */
export function metricsOf(scorers: RunScorers, name: string): ScoringMetrics {
  const scorer = Object.hasOwn(scorers, name) ? scorers[name] : undefined
  if (scorer === undefined) return nothing
  const found = known.get(scorer) ?? inOrder(scorer)
  known.set(scorer, found)
  return found
}

function inOrder({ kind, metrics }: ScorerMetrics): ScoringMetrics {
  const primary = metrics.find(metric => metric.primary) ?? metrics[0] ?? null
  const others = metrics.filter(metric => metric.role === 'score' && metric !== primary)
  const scores = primary === null ? others : [primary, ...others]
  const columns = [...others.filter(isShown), ...(primary === null ? [] : [primary])]
  return {
    itemNoun: itemNouns[kind],
    primary,
    scores,
    compared: [...scores, answeredMetric, successMetric],
    columns: [answeredMetric, successMetric, ...columns],
    companions: metrics.filter(metric => !scores.includes(metric) && isShown(metric)),
    all: [answeredMetric, successMetric, ...metrics],
  }
}

const isShown = ({ detail }: MetricDefinition): boolean => detail !== true

/** A metric by its key; undefined where the scorer has none of that name. */
export function metricNamed(scorers: RunScorers, scorer: string, key: string): MetricDefinition | undefined {
  return metricsOf(scorers, scorer).all.find(metric => metric.key === key)
}

/** Whether a metric is the one that its scoring is about. */
export function isPrimary(scorers: RunScorers, scorer: string, key: string): boolean {
  return metricsOf(scorers, scorer).primary?.key === key
}

/** A metric's value of a scored attempt; null where the record has none. */
export function recordedValue(score: Score, key: string): number | null {
  if (key === answeredMetric.key) return Number(score.answered)
  if (key === successMetric.key) return score.success === null ? null : Number(score.success)
  return score.metrics[key] ?? null
}

/** The value of no answer at all, by which an unscored attempt bounds a mean; null where the metric has no such bound. */
export function worstValue({ better, range: [least, most] }: MetricDefinition): number | null {
  return better === 'higher' ? least : most
}

/**
 * How good a value is, from 0 to 1; null where the metric has no bounds. The best value of a metric without a worst one
 * is 1, every other 0.
 */
export function goodness({ better, range: [least, most] }: MetricDefinition, value: number): number | null {
  const best = better === 'higher' ? most : least
  const worst = better === 'higher' ? least : most
  if (best === null) return null
  if (worst === null) return value === best ? 1 : 0
  return best === worst ? 1 : Math.max(0, (value - worst) / (best - worst))
}

/** Orders values of a metric from the worst to the best. */
export function compareValues({ better }: MetricDefinition, a: number, b: number): number {
  return better === 'higher' ? a - b : b - a
}

/**
 * The metrics of every scorer that the records name. Those of a scorer that nobody knows any more are taken from its
 * records, under their keys.
 */
export function scorersOf(given: RunScorers, scores: readonly Score[]): RunScorers {
  const unknown = new Map<string, ScorerMetrics>()
  for (const { profile, kind, metrics } of scores) {
    if (Object.hasOwn(given, profile)) continue
    const before = unknown.get(profile)?.metrics ?? []
    const added = Object.keys(metrics).filter(key => before.every(metric => metric.key !== key))
    if (added.length > 0 || before.length === 0)
      unknown.set(profile, { kind, metrics: [...before, ...added.map(keyAlone)] })
  }
  const inferred = [...unknown].map(([name, { kind, metrics }]): [string, ScorerMetrics] => [
    name,
    { kind, metrics: metrics.map((metric, at) => ({ ...metric, primary: at === 0 })) },
  ])
  return { ...given, ...Object.fromEntries(inferred) }
}

function keyAlone(key: string): MetricDefinition {
  return {
    key,
    label: key,
    unit: 'points',
    better: 'higher',
    primary: false,
    role: 'score',
    description: 'The scorer is not at hand.',
    range: [null, null],
  }
}
