import type { MetricDefinition } from '../../core/metric.ts'
import type { Judge } from '../contract/judge.ts'
import type { Scorer } from '../contract/scorer.ts'

/** An answer and its reference. */
export interface TextMetricInput {
  readonly reference: string
  readonly prediction: string
  /** The question; '' when it does not matter. */
  readonly question: string
  readonly judge: Judge
  /** `gold.scoring` as validated by the scorer's `configuration`. Absent when the scorer has none. */
  readonly configuration?: unknown
}

/** A metric's result. `value` is null when a judge is needed and missing, or when it failed. */
export interface TextMetricScore {
  readonly value: number | null
  /** The components of the value, by name. */
  readonly parts: Readonly<Record<string, number>>
  /** Why there is no value; null when there is one. */
  readonly note: string | null
  /** Of several references, the one with the highest rank counts. Absent: the value. */
  readonly rank?: number
}

/** A list answer and the elements of the gold list. */
export interface TextListInput extends Omit<TextMetricInput, 'reference'> {
  readonly references: readonly string[]
}

/** A metric's result for a list answer. */
export interface TextListScore extends TextMetricScore {
  /** The elements of the gold list, in order; `predicted` is null when the answer has nothing for one. */
  readonly items: readonly { readonly score: number | null; readonly predicted: string | null }[]
}

/** A metric that compares answers or tables as text. */
export interface TextMetric {
  score(input: TextMetricInput): Promise<TextMetricScore>
  /** Scores a list answer as a whole. When absent, each element of the gold list is scored on its own. */
  scoreList?(input: TextListInput): Promise<TextListScore>
  /**
   * Scores a reference case of the published code. `score FILE` prints the result when it is asked for this scorer
   * alone.
   */
  referenceCase?(input: ReferenceCaseInput): Promise<ReferenceCaseScore>
}

/** A reference case, with all its fields as they are in the file. */
interface ReferenceCaseInput extends TextMetricInput {
  readonly fields: Readonly<Record<string, unknown>>
}

/** The values of a reference case, by the names of the published code. */
export interface ReferenceCaseScore {
  readonly metrics: Readonly<Record<string, unknown>>
  /** The name of the exception that the published code raises; null when it raises none. */
  readonly error: string | null
}

/** A scorer that compares an answer as text, by one metric. */
export interface TextScorer extends Scorer {
  readonly kind: 'text'
  readonly primary: MetricDefinition
  /** The definitions of the metric's parts, by the names in `TextMetricScore.parts`. */
  readonly parts: Readonly<Record<string, MetricDefinition>>
  metric(): Promise<TextMetric>
}

/** A result with a value. */
export const makeScored = (value: number, parts: Readonly<Record<string, number>> = {}): TextMetricScore => ({
  value,
  parts,
  note: null,
})

/** A result without a value. */
export const makeNotScored = (note: string): TextMetricScore => ({ value: null, parts: {}, note })

/** The result when two texts have too many parts to compare in bounded time; null when they do not. */
export function refuseLarge(reference: number, prediction: number, most: number): TextMetricScore | null {
  return reference * prediction <= most
    ? null
    : makeNotScored(`too large: ${reference} parts beside ${prediction}, at most ${most} pairs`)
}
