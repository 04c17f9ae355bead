import { isBlankValue } from './blank-value.ts'

/** How many values an answer gives and withholds. `counts` of a score record contains them. */
export interface ValueCounts {
  /** Items for which the answer gives a value. */
  readonly givenValues: number
  /** Given values that are not completely right, also where the gold has no value. */
  readonly wrongValues: number
  /** Items for which the gold has a value. */
  readonly goldValues: number
  /** Items for which the gold has a value and the answer gives none. */
  readonly silentValues: number
}

/** The part of a scored item that is counted. */
interface CountedItem {
  readonly gold: string
  readonly predicted: string | null
  readonly score: number | null
}

/** Counts the values of an answer by its scored items. Items on which a judge failed are left out. */
export function countValues(items: readonly CountedItem[]): ValueCounts {
  const counts = { givenValues: 0, wrongValues: 0, goldValues: 0, silentValues: 0 }
  for (const { score, gold, predicted } of items) {
    if (score === null) continue
    const isGiven = !isBlankValue(predicted)
    const isInGold = !isBlankValue(gold)
    if (isGiven) counts.givenValues += 1
    if (isGiven && score < 1) counts.wrongValues += 1
    if (isInGold) counts.goldValues += 1
    if (isInGold && !isGiven) counts.silentValues += 1
  }
  return counts
}

/** Wrong values among the given values of a score: the hallucination rate. Null when the answer gives no value. */
export function hallucinationRateOf({ givenValues, wrongValues }: Partial<ValueCounts>): number | null {
  return givenValues === undefined || wrongValues === undefined || givenValues === 0
    ? null
    : wrongValues / givenValues
}

/** Gold values for which the answer gives no value: the abstention rate. Null when the gold has no value. */
export function abstentionRateOf({ goldValues, silentValues }: Partial<ValueCounts>): number | null {
  return goldValues === undefined || silentValues === undefined || goldValues === 0
    ? null
    : silentValues / goldValues
}
