import {
  abstentionMetric,
  answeredMetric,
  hallucinationMetric,
  itemNouns,
  type MetricDefinition,
  type ScorerMetrics,
  successMetric,
} from '../../core/metric.ts'
import type { Score } from '../../core/score.ts'
import { computeAbstentionRate, computeHallucinationRate } from '../../core/value-counts.ts'

/** The metrics of the scorers of a run, by scorer name. Every score in a report is one of these. */
export type RunScorers = Readonly<Record<string, ScorerMetrics>>

/** The metrics of one scorer in the orders in which reports show them. Empty when nothing was scored. */
export interface ScoringMetrics {
  /** The word for an item of the gold, such as `cell`. */
  readonly itemNoun: string
  /** The main metric of the scorer. Null when nothing was scored. */
  readonly primary: MetricDefinition | null
  /** The metrics that rate an answer, in the order of rows: the primary metric first. */
  readonly scores: readonly MetricDefinition[]
  /** The metrics that have differences and trials: `scores`, then `answered` and `success`. */
  readonly compared: readonly MetricDefinition[]
  /** The metrics in the order of columns: `answered`, `success`, the other scores, the primary metric last. */
  readonly columns: readonly MetricDefinition[]
  /** Metrics that qualify the scores and have their own column. */
  readonly companions: readonly MetricDefinition[]
  /** All metrics of the records, including those that every scorer has. */
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

const metricsCache = new WeakMap<ScorerMetrics, ScoringMetrics>()

/** Returns the metrics of a scorer by name. The name `none` means that nothing was scored and has no metrics. */
export function listScoringMetrics(scorers: RunScorers, name: string): ScoringMetrics {
  const scorer = Object.hasOwn(scorers, name) ? scorers[name] : undefined
  if (scorer === undefined) return nothing
  const metrics = metricsCache.get(scorer) ?? orderMetrics(scorer)
  metricsCache.set(scorer, metrics)
  return metrics
}

function orderMetrics({ kind, metrics }: ScorerMetrics): ScoringMetrics {
  const primary = metrics.find(metric => metric.primary) ?? metrics[0] ?? null
  const furtherScores = metrics.filter(metric => metric.role === 'score' && metric !== primary)
  const scores = primary === null ? furtherScores : [primary, ...furtherScores]
  const columns = [...furtherScores.filter(isShown), ...(primary === null ? [] : [primary])]
  return {
    itemNoun: itemNouns[kind],
    primary,
    scores,
    compared: [...scores, answeredMetric, successMetric],
    columns: [answeredMetric, successMetric, ...columns],
    companions: metrics.filter(metric => !scores.includes(metric) && isShown(metric)),
    all: [answeredMetric, successMetric, ...metrics, hallucinationMetric, abstentionMetric],
  }
}

const isShown = ({ detail }: MetricDefinition): boolean => detail !== true

/** Returns a metric of a scorer by its key, or undefined when the scorer does not have it. */
export function findMetric(scorers: RunScorers, scorer: string, key: string): MetricDefinition | undefined {
  return listScoringMetrics(scorers, scorer).all.find(metric => metric.key === key)
}

/** Whether a metric is the primary metric of its scorer. */
export function isPrimary(scorers: RunScorers, scorer: string, key: string): boolean {
  return listScoringMetrics(scorers, scorer).primary?.key === key
}

/** Returns the value of a metric in a score record, or null when the record lacks it. */
export function readRecordedValue(score: Score, key: string): number | null {
  if (key === answeredMetric.key) return Number(score.answered)
  if (key === successMetric.key) return score.success === null ? null : Number(score.success)
  if (key === hallucinationMetric.key) return computeHallucinationRate(score.counts)
  if (key === abstentionMetric.key) return computeAbstentionRate(score.counts)
  return score.metrics[key] ?? null
}

/** Returns the worst possible value of a metric, which stands for unscored attempts in bounds. Null when it is unbounded. */
export function findWorstValue({ better, range: [least, most] }: MetricDefinition): number | null {
  return better === 'higher' ? least : most
}

/** From this goodness on, a value counts as right where tasks are compared one by one. */
export const rightFrom = 0.9

/** Whether a value of this goodness counts as right; an unknown one does not. */
export function isRight(goodness: number | null): boolean {
  return goodness !== null && goodness >= rightFrom
}

/**
 * Returns how good a value is, from 0 to 1, or null when the metric has no best value. When the metric has a best value
 * but no worst one, the best value is 1 and every other is 0.
 */
export function rateValue({ better, range: [least, most] }: MetricDefinition, value: number): number | null {
  const best = better === 'higher' ? most : least
  const worst = better === 'higher' ? least : most
  if (best === null) return null
  if (worst === null) return value === best ? 1 : 0
  return best === worst ? 1 : Math.max(0, (value - worst) / (best - worst))
}

/** Orders values of a metric from worst to best. */
export function compareValues({ better }: MetricDefinition, a: number, b: number): number {
  return better === 'higher' ? a - b : b - a
}

/**
 * Returns the metrics of every scorer that the records name. When a scorer is not given, as after a plug-in was removed,
 * its metrics are inferred from its records and labelled with their keys.
 */
export function completeScorers(scorersOfRun: RunScorers, scores: readonly Score[]): RunScorers {
  const unknown = new Map<string, ScorerMetrics>()
  for (const { scorer, kind, metrics } of scores) {
    if (Object.hasOwn(scorersOfRun, scorer)) continue
    const before = unknown.get(scorer)?.metrics ?? []
    const added = Object.keys(metrics).filter(key => before.every(metric => metric.key !== key))
    if (added.length > 0 || before.length === 0)
      unknown.set(scorer, { kind, metrics: [...before, ...added.map(defineByKey)] })
  }
  const inferred = [...unknown].map(([name, { kind, metrics }]): [string, ScorerMetrics] => [
    name,
    { kind, metrics: metrics.map((metric, at) => ({ ...metric, primary: at === 0 })) },
  ])
  return { ...scorersOfRun, ...Object.fromEntries(inferred) }
}

function defineByKey(key: string): MetricDefinition {
  return {
    key,
    label: key,
    unit: 'points',
    better: 'higher',
    primary: false,
    role: 'score',
    description: 'No description, because the scorer is not installed.',
    range: [null, null],
  }
}
