import { readPeriod } from '../../text/dates.ts'
import { type CellRating, rating, ratings } from '../table/rating.ts'
import {
  currenciesOf,
  isPercentColumn,
  isRateColumn,
  type Quantity,
  readQuantity,
  statedScale,
} from '../text/quantities.ts'
import { rateEmpty, rateTextByRules } from '../text/rate-text.ts'

/** The columns of two cells. */
export interface CellColumns {
  readonly gold: string
  /** The answer's own name for the column; null when the answer lacks it. */
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

/**
 * Rates a cell by strict's rules, and names the rule. The rules cover emptiness, equality, numbers
 * (separators, signs, scales, percent, currencies, units, Chinese numerals), dates and periods, text after
 * normalisation, and lists. Null when no rule decides.
 */
export function rateStrictly(gold: string, predicted: string, columns: CellColumns): CellRating | null {
  const empty = rateEmpty(gold, predicted)
  if (empty !== null) return empty
  if (gold === predicted) return rateSameText(gold, columns)
  return (
    rateNumbers(gold, predicted, columns) ??
    rateDates(gold, predicted) ??
    rateTextByRules(gold, predicted, columns.gold)
  )
}

/** Equal texts are right, unless they are numbers to which the columns' names give different meanings. */
function rateSameText(text: string, columns: CellColumns): CellRating {
  if (columns.predicted === null || columns.predicted === columns.gold) return ratings.equal
  const numbers = rateNumbers(text, text, columns)
  return numbers?.score === 0 ? numbers : ratings.equal
}

/** Two plain numbers are compared as numbers, although 20240331 may be a date. */
function rateDates(gold: string, predicted: string): CellRating | null {
  if (/^\d+$/.test(gold) && /^\d+$/.test(predicted)) return null
  const left = readPeriod(gold)
  const right = left === null ? null : readPeriod(predicted)
  if (left === null || right === null) return null
  return left === right ? strictRatings.dateEqual : strictRatings.dateDifferent
}

/** A text with a leading zero in a text column is a code, not a number. */
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

/** The possible readings of the two numbers, simplest first. */
function readings(left: Quantity, right: Quantity, columns: CellColumns): Reading[] {
  const percentColumn = columns.predicted !== null && isPercentColumn(columns.predicted)
  if (isPercentColumn(columns.gold) || left.percent === (right.percent || percentColumn)) {
    return scaleReadings(left, right, columns)
  }
  return percentReadings(left, right, percentColumn || isRateColumn(columns.gold))
}

type Reading = readonly [rule: string, gold: number, predicted: number]

/**
 * The readings by scale. The scales in the columns' names decide. When the answer's column states none, its numbers
 * may be in the gold's unit or in full.
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

/**
 * The readings of a share and a percentage. In a column of rates, a plain number above 1 may be a percentage without
 * its sign.
 */
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
