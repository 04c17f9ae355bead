import { ConfigError } from './errors.ts'

/** How values of a metric are printed: a share of 0 to 1 as a percentage, points and counts as numbers. */
export type MetricUnit = 'share' | 'points' | 'count'

/**
 * One metric of a scorer, as data. Reports iterate over these; no report names a metric.
 *
 * @example
 * import type { MetricDefinition } from 'tablehunt'
 *
 * const wordCount: MetricDefinition = {
 *   key: 'wordCount',
 *   label: 'words',
 *   unit: 'count',
 *   better: 'lower',
 *   primary: false,
 *   role: 'companion',
 *   description: 'How many words the answer has.',
 *   range: [0, null],
 * }
 */
export interface MetricDefinition {
  /** The name in records, in `report --json` and in options: `cellF1`. */
  readonly key: string
  /** The name in tables and figures: `Cell F1`. */
  readonly label: string
  /** `share`: 0 to 1, printed as a percentage. `points` and `count`: printed as they are. */
  readonly unit: MetricUnit
  readonly better: 'higher' | 'lower'
  /** Whether this is the metric that comparisons use. Each scorer has exactly one. */
  readonly primary: boolean
  /**
   * `score`: how good an answer is; reports show its interval, differences and trials. `companion`: qualifies a score,
   * such as the precision of an F1; reports show its mean.
   */
  readonly role: 'score' | 'companion'
  /** True: the metric is in JSON and exports, but not in tables. */
  readonly detail?: boolean | undefined
  /** What it measures and the source of the rule, in one or two sentences. */
  readonly description: string
  /** The smallest and the largest possible value; null for unbounded. */
  readonly range: readonly [number | null, number | null]
}

/** The kinds of answers that a task can ask for. */
export const answerKindNames = ['table', 'json', 'text'] as const
export type AnswerKindName = (typeof answerKindNames)[number]

/** The noun for one item of a gold in reports, by kind. The plural adds an s. */
export const itemNouns: Readonly<Record<AnswerKindName, string>> = {
  table: 'cell',
  json: 'item',
  text: 'item',
}

/** What reports need to know about a scorer. A run's manifest keeps it, so that old runs open without the scorer. */
export interface ScorerMetrics {
  readonly kind: AnswerKindName
  readonly metrics: readonly MetricDefinition[]
  /** One line that says which differences the scorer forgives. Absent: unknown. */
  readonly forgives?: string | undefined
}

/** The metric values of one scored attempt by key. A value is null when it is unknown, for example because a judge failed. */
export type MetricValues = Readonly<Record<string, number | null>>

const shareOfAttempts = {
  unit: 'share',
  better: 'higher',
  primary: false,
  role: 'score',
  range: [0, 1],
} as const satisfies Partial<MetricDefinition>

/** A metric that every scorer has: the field `answered` of its records. */
export const answeredMetric: MetricDefinition = {
  ...shareOfAttempts,
  key: 'answered',
  label: 'answered',
  description: 'An answer of the asked kind could be read.',
}

/** A metric that every scorer has: the field `success` of its records. */
export const successMetric: MetricDefinition = {
  ...shareOfAttempts,
  key: 'success',
  label: 'success',
  description: 'Every item of the gold is right, or the primary metric is at least --success-at.',
}

const rateOfValues = {
  unit: 'share',
  better: 'lower',
  primary: false,
  role: 'companion',
  detail: true,
  range: [0, 1],
} as const satisfies Partial<MetricDefinition>

/** A metric that every scorer has: how often an answer is confident and wrong. */
export const hallucinationMetric: MetricDefinition = {
  ...rateOfValues,
  key: 'hallucinationRate',
  label: 'hallucination rate',
  description:
    'Share of the values in the answer that are wrong. This includes values for items that have none in the gold.',
}

/** A metric that every scorer has: how often an answer is silent. */
export const abstentionMetric: MetricDefinition = {
  ...rateOfValues,
  key: 'abstentionRate',
  label: 'abstention rate',
  description: 'Share of the items with a value in the gold for which the answer has no value.',
}

/** A metric that every arm of a run must reach. */
export interface Threshold {
  /** The name as the user wrote it. */
  readonly metric: string
  readonly value: number
}

/**
 * Reads `METRIC=VALUE`, the value of `--fail-under`. Does not check whether a run has the metric.
 *
 * @throws ConfigError [invalid-threshold] for any other form
 */
export function parseThreshold(text: string): Threshold {
  const [, metric = '', valueText = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  const value = valueText.trim() === '' ? Number.NaN : Number(valueText)
  if (metric !== '' && Number.isFinite(value)) return { metric, value }
  throw new ConfigError(`'${text}' is not valid: expected METRIC=VALUE, such as answered=0.8`, {
    code: 'invalid-threshold',
  })
}
