import { readPeriod } from '../../text/dates.ts'
import { type CellRating, rating, ratings } from '../table/rating.ts'
import { rateTextByRules } from '../text/rate-text.ts'
import {
  currenciesOf,
  isPercentColumn,
  isRateColumn,
  type Quantity,
  readQuantity,
  statedScale,
} from './quantities.ts'

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
  if (gold === predicted) return rateSameText(gold, columns)
  return (
    rateNumbers(gold, predicted, columns) ?? rateDates(gold, predicted) ?? rateTextByRules(gold, predicted)
  )
}

/** Equal, unless it is a number of which the columns' names say different things. */
function rateSameText(text: string, columns: CellColumns): CellRating {
  if (columns.predicted === null || columns.predicted === columns.gold) return ratings.equal
  const numbers = rateNumbers(text, text, columns)
  return numbers?.score === 0 ? numbers : ratings.equal
}

/** Two plain numbers are compared as numbers, though 20240331 may be a day. */
function rateDates(gold: string, predicted: string): CellRating | null {
  if (/^\d+$/.test(gold) && /^\d+$/.test(predicted)) return null
  const left = readPeriod(gold)
  const right = left === null ? null : readPeriod(predicted)
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
  if (currenciesDiffer(left, right, columns)) return strictRatings.currencyDifferent
  if (left.unit !== right.unit && left.unit !== null && right.unit !== null)
    return strictRatings.unitDifferent
  for (const [rule, a, b] of readings(left, right, columns)) if (close(a, b)) return rating(1, rule)
  return strictRatings.numberDifferent
}

function currenciesDiffer(left: Quantity, right: Quantity, columns: CellColumns): boolean {
  if (left.currency !== null && right.currency !== null) return left.currency !== right.currency
  const gold = currenciesOf(left, columns.gold)
  const predicted = currenciesOf(right, columns.predicted)
  return gold.length > 0 && predicted.length > 0 && !gold.some(currency => predicted.includes(currency))
}

/** The ways in which the two numbers may be meant, the plainest first. */
function readings(left: Quantity, right: Quantity, columns: CellColumns): Reading[] {
  const percentColumn = columns.predicted !== null && isPercentColumn(columns.predicted)
  if (isPercentColumn(columns.gold) || left.percent === (right.percent || percentColumn)) {
    return scaleReadings(left, right, columns)
  }
  return percentReadings(left, right, percentColumn || isRateColumn(columns.gold))
}

type Reading = readonly [rule: string, gold: number, predicted: number]

/**
 * The scales that the columns' names state decide, but an answer's column that states nothing may hold the number in
 * gold's unit as well as in full.
 */
function scaleReadings(left: Quantity, right: Quantity, columns: CellColumns): Reading[] {
  const goldScale = left.scaled ? 1 : statedScale(columns.gold)
  const scale = right.scaled ? 1 : columns.predicted === null ? null : statedScale(columns.predicted)
  const sameUnit = left.unit === right.unit
  const plain: Reading = [
    ruleOf(left, right),
    sameUnit ? left.value : left.amount,
    sameUnit ? right.value : right.amount,
  ]
  if ((goldScale ?? 1) === (scale ?? 1)) return [plain]
  const full: Reading = ['number-header-scale', left.value * (goldScale ?? 1), right.value * (scale ?? 1)]
  return scale === null ? [plain, full] : [full]
}

/** A share and a percentage. Above 1 a plain number in a column of rates may be a percentage too, whose sign is left out. */
function percentReadings(left: Quantity, right: Quantity, isRate: boolean): Reading[] {
  const bare = left.percent ? right.value : left.value
  const share: Reading = left.percent
    ? ['number-percent', left.value / 100, right.value]
    : ['number-percent', left.value, right.value / 100]
  return isRate && Math.abs(bare) > 1 ? [['number-percent', left.value, right.value], share] : [share]
}

function ruleOf(left: Quantity, right: Quantity): string {
  if (left.unit !== null || right.unit !== null) return 'number-unit'
  if (left.scaled !== right.scaled) return 'number-scale'
  if (left.percent !== right.percent) return 'number-percent'
  return left.currency === right.currency ? 'number' : 'number-currency'
}

const close = (gold: number, predicted: number): boolean =>
  Math.abs(gold - predicted) <= 1e-6 + 1e-5 * Math.abs(gold)
