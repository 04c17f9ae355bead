import { type CellRating, rating, ratings } from '../table/rating.ts'
import { rateTextByRules } from '../text/rate-text.ts'
import { readDate } from './dates.ts'
import { headerScale, isPercentColumn, isRateColumn, type Quantity, readQuantity } from './quantities.ts'

/** The columns that two cells stand in. */
export interface CellColumns {
  readonly gold: string
  /** The answer's own name for the column; null where the answer lacks it. */
  readonly predicted: string | null
  readonly numeric: boolean
}

const strictRatings = {
  dateEqual: rating(1, 'date'),
  dateDifferent: rating(0, 'date-different'),
  numberDifferent: rating(0, 'number-different'),
  currencyDifferent: rating(0, 'currency-different'),
  unitDifferent: rating(0, 'unit-different'),
}

/** A dash is how tables write nothing. */
const nothing = /^[-‐‑‒–—―－/]*$/

/**
 * What strict's rules decide of a cell, named: emptiness, equality, numbers (separators, signs, scales, percent,
 * currencies, units, Chinese numerals), dates and periods, text after normalisation, lists. Null: they do not decide.
 */
export function rateStrictly(
  goldText: string,
  predictedText: string,
  columns: CellColumns,
): CellRating | null {
  const gold = nothing.test(goldText) ? '' : goldText
  const predicted = nothing.test(predictedText) ? '' : predictedText
  if (gold === '' || predicted === '') return gold === predicted ? ratings.bothEmpty : ratings.oneEmpty
  if (gold === predicted) return ratings.equal
  return (
    rateNumbers(gold, predicted, columns) ?? rateDates(gold, predicted) ?? rateTextByRules(gold, predicted)
  )
}

/** Two plain numbers are compared as numbers, though 20240331 may be a day. */
function rateDates(gold: string, predicted: string): CellRating | null {
  if (/^\d+$/.test(gold) && /^\d+$/.test(predicted)) return null
  const left = readDate(gold)
  const right = left === null ? null : readDate(predicted)
  if (left === null || right === null) return null
  return left === right ? strictRatings.dateEqual : strictRatings.dateDifferent
}

/** In a text column a leading zero makes a code, which is no number. */
const isCode = (text: string): boolean => /^0\d/.test(text)

function rateNumbers(gold: string, predicted: string, columns: CellColumns): CellRating | null {
  if (!columns.numeric && (isCode(gold) || isCode(predicted))) return null
  const left = readQuantity(gold)
  const right = left === null ? null : readQuantity(predicted)
  if (left === null || right === null) return null
  if (left.currency !== null && right.currency !== null && left.currency !== right.currency) {
    return strictRatings.currencyDifferent
  }
  if (left.unit !== right.unit && left.unit !== null && right.unit !== null)
    return strictRatings.unitDifferent
  for (const [rule, a, b] of readings(left, right, columns)) if (close(a, b)) return rating(1, rule)
  return strictRatings.numberDifferent
}

/** The ways in which the two numbers may be meant, the plainest first. */
function* readings(
  left: Quantity,
  right: Quantity,
  columns: CellColumns,
): Generator<readonly [string, number, number]> {
  const samePercent = left.percent === right.percent || isPercentColumn(columns.gold)
  const sameUnit = left.unit === right.unit
  if (samePercent || isRateColumn(columns.gold)) {
    yield [ruleOf(left, right), sameUnit ? left.value : left.amount, sameUnit ? right.value : right.amount]
  }
  if (left.percent !== right.percent && !isPercentColumn(columns.gold)) {
    yield [
      'number-percent',
      left.percent ? left.value / 100 : left.value,
      right.percent ? right.value / 100 : right.value,
    ]
  }
  const leftScale = left.scaled ? 1 : headerScale(columns.gold)
  const rightScale = right.scaled || columns.predicted === null ? 1 : headerScale(columns.predicted)
  if (leftScale !== rightScale)
    yield ['number-header-scale', left.value * leftScale, right.value * rightScale]
}

function ruleOf(left: Quantity, right: Quantity): string {
  if (left.unit !== null || right.unit !== null) return 'number-unit'
  if (left.scaled !== right.scaled) return 'number-scale'
  if (left.percent !== right.percent) return 'number-percent'
  return left.currency === right.currency ? 'number' : 'number-currency'
}

const close = (gold: number, predicted: number): boolean =>
  Math.abs(gold - predicted) <= 1e-6 + 1e-5 * Math.abs(gold)
