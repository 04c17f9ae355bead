import type { Judge } from '../judge/judge.ts'

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

/** A metric of any table or answer as text; a new one is a file and a line in the registry. */
export interface TextMetric {
  /** One line for lists, with the range of the value and where it is from. */
  readonly summary: string
  score(input: TextMetricInput): Promise<TextMetricScore>
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
