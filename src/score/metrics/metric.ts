import type { MetricDefinition } from '../../core/metric.ts'
import type { Judge } from '../judge/judge.ts'
import type { Scorer } from '../scorer.ts'

/** Any answer beside its reference. */
export interface TextMetricInput {
  readonly reference: string
  readonly prediction: string
  /** What was asked; '' where it does not matter. */
  readonly question: string
  readonly judge: Judge
}

/** `value` is what the metric is named for; null where a judge is needed and there is none, or it failed. */
export interface TextMetricScore {
  readonly value: number | null
  /** What the value is made of, by name. */
  readonly parts: Readonly<Record<string, number>>
  /** Why there is no value; null when there is one. */
  readonly note: string | null
}

/** A list answer beside the elements of the gold list. */
export interface TextListInput extends Omit<TextMetricInput, 'reference'> {
  readonly references: readonly string[]
}

export interface TextListScore extends TextMetricScore {
  /** Each element of the gold list, in order; `predicted` is null where the answer has nothing for it. */
  readonly items: readonly { readonly score: number | null; readonly predicted: string | null }[]
}

/** A metric of any table or answer as text. */
export interface TextMetric {
  score(input: TextMetricInput): Promise<TextMetricScore>
  /** Scores a list answer as a whole. Absent: each element of the gold list is scored on its own. */
  scoreList?(input: TextListInput): Promise<TextListScore>
}

/** A scorer that compares an answer as text, by one metric. */
export interface TextScorer extends Scorer {
  readonly kind: 'text'
  readonly primary: MetricDefinition
  /** The definitions of the metric's parts, by the names that it gives them. */
  readonly parts: Readonly<Record<string, MetricDefinition>>
  metric(): Promise<TextMetric>
}

export const scored = (value: number, parts: Readonly<Record<string, number>> = {}): TextMetricScore => ({
  value,
  parts,
  note: null,
})

export const notScored = (note: string): TextMetricScore => ({ value: null, parts: {}, note })

/** Comparing every part of one text with every part of the other is refused beyond so many pairs. */
const mostPairs = 25_000_000

/** What a metric gives where the two sides have too many parts to be compared in bounded time; null: they have not. */
export function tooLarge(reference: number, prediction: number, most = mostPairs): TextMetricScore | null {
  return reference * prediction <= most
    ? null
    : notScored(`too large: ${reference} parts beside ${prediction}, at most ${most} pairs`)
}
