import { isBlankValue } from './blank-value.ts'
import type { CellClass } from './cell-classes.ts'

/** How many values an answer contains, and how many it lacks. `counts` of a score record contains them. */
interface ValueCounts {
  /** Items for which the answer has a value, except blank gold values that the documents contain. */
  readonly givenValues: number
  /** Values of the answer that are not completely right. This includes values for items that have none in the gold. */
  readonly wrongValues: number
  /** Items for which the gold has a value. */
  readonly goldValues: number
  /** Items for which the gold has a value and the answer has none. */
  readonly silentValues: number
}

/** The part of a scored item that is counted. */
export interface CountedItem {
  readonly gold: string
  readonly predicted: string | null
  readonly score: number | null
  readonly class?: CellClass | null
}

/** Counts the values of an answer by its scored items. Items on which a judge failed are left out. */
export function countValues(items: readonly CountedItem[]): ValueCounts {
  const counts = { givenValues: 0, wrongValues: 0, goldValues: 0, silentValues: 0 }
  for (const { score, gold, predicted, class: itemClass } of items) {
    if (score === null) continue
    const isGiven = !isBlankValue(predicted) && itemClass !== 'gold-blank'
    const isInGold = !isBlankValue(gold)
    if (isGiven) counts.givenValues += 1
    if (isGiven && score < 1) counts.wrongValues += 1
    if (isInGold) counts.goldValues += 1
    if (isInGold && !isGiven) counts.silentValues += 1
  }
  return counts
}

/** The hallucination rate: the share of the answer's values that are wrong. Null when the answer has no value. */
export function computeHallucinationRate({ givenValues, wrongValues }: Partial<ValueCounts>): number | null {
  return givenValues === undefined || wrongValues === undefined || givenValues === 0
    ? null
    : wrongValues / givenValues
}

/**
 * The abstention rate: the share of the gold values for which the answer has no value. Null when the gold has no value.
 */
export function computeAbstentionRate({ goldValues, silentValues }: Partial<ValueCounts>): number | null {
  return goldValues === undefined || silentValues === undefined || goldValues === 0
    ? null
    : silentValues / goldValues
}
