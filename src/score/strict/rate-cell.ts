import { areDifferentCodes, readColumnUnit } from '../../text/column-units.ts'
import { readPeriod } from '../../text/dates.ts'
import { foldCase } from '../../text/plain-text.ts'
import { type Quantity, readQuantity } from '../../text/quantities.ts'
import { rateEmpty, rateTextByRules } from '../table/rate-text.ts'
import { type CellRating, makeRating, ratings } from '../table/rating.ts'
import { withoutCitationMarks } from '../table/raw-table.ts'
import { compareNumbers } from '../text/compare-numbers.ts'

/** The columns of two cells. */
interface CellColumns {
  readonly gold: string
  /** The answer's own name for the column; null when the answer lacks it. */
  readonly predicted: string | null
  readonly numeric: boolean
}

const strictRatings = { dateEqual: makeRating(1, 'date'), dateDifferent: makeRating(0, 'date-different') }

/**
 * Rates a cell by strict's rules, and names the rule. The rules cover emptiness, equality, numbers
 * (separators, signs, scales, percent, currencies, units, Chinese numerals), dates and periods, text after
 * normalisation, and lists. Null when no rule decides.
 */
export function rateStrictly(gold: string, predicted: string, columns: CellColumns): CellRating | null {
  const empty = rateEmpty(gold, predicted)
  if (empty !== null) return empty
  if (gold === predicted) return rateSameText(gold, columns)
  const [plainGold, plainPredicted] = [gold, predicted].map(withoutCitationMarks)
  // Two marks may be what tells two values apart, and x[1] is an element of x.
  const isMarkedOnce = (plainGold === gold) !== (plainPredicted === predicted)
  if (isMarkedOnce && /\d/.test(plainGold!) && /\d/.test(plainPredicted!))
    return rateStrictly(plainGold!, plainPredicted!, columns)
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
  const left = readCell(gold, columns.gold, columns.numeric)
  const right = left === null ? null : readCell(predicted, columns.gold, columns.numeric)
  if (left === null || right === null) return null
  const { isEqual, rule } = compareNumbers(left, right, columns, isClose)
  if (isEqual && areDifferentCodes(gold, predicted, columns.gold)) return makeRating(0, 'code-different')
  return makeRating(isEqual ? 1 : 0, rule)
}

/** Reads a number, perhaps with the words of its column's name beside it: 12 beds under `Number of beds`, BTC 5 under `Price (BTC)`. */
function readCell(text: string, column: string, numeric: boolean): Quantity | null {
  const quantity = readQuantity(text, numeric, column)
  if (quantity !== null && !readColumnUnit(column).isCount) return quantity
  const groups =
    /^(?<number>[-+\d.,]*\d)\s+(?<words>\p{L}[\p{L} -]*)$/u.exec(text)?.groups ??
    /^(?<words>\p{Lu}{3,5})\s?(?<number>[\d.,]*\d)$/u.exec(text)?.groups
  if (groups === undefined) return quantity
  const named = new Set(listSingularWords(column))
  const isNamed = listSingularWords(groups.words!).every(word => named.has(word))
  return isNamed ? readQuantity(groups.number!, numeric, column) : quantity
}

const listSingularWords = (text: string): string[] =>
  (foldCase(text).match(/\p{L}+/gu) ?? []).map(word =>
    word.replace(/ies$/, 'y').replace(/(?<=\p{L}{2})s$/u, ''),
  )

const isClose = (gold: number, predicted: number): boolean =>
  Math.abs(gold - predicted) <= 1e-6 + 1e-5 * Math.abs(gold)
