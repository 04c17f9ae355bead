import { readPeriod } from '../../text/dates.ts'
import {
  columnUnit,
  isPercentByNature,
  type Meaning,
  type Quantity,
  readQuantities,
} from '../../text/quantities.ts'
import { type CellRating, rating, ratings } from '../table/rating.ts'
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
  const read = readQuantities(gold, predicted, columns)
  if (read === null) return null
  if (read.currenciesDiffer) return strictRatings.currencyDifferent
  const pairs = meaningPairs(read.gold, read.predicted, columns)
  const sameKind = pairs.filter(([left, right]) => !measureDifferent(left, right))
  if (sameKind.length === 0) return strictRatings.unitDifferent
  for (const [left, right] of sameKind)
    for (const [rule, a, b] of readings({ ...read.gold, ...left }, { ...read.predicted, ...right }, columns))
      if (close(a, b)) return rating(1, rule)
  return strictRatings.numberDifferent
}

/** Every combination of what two numbers may mean. A number without a unit is in the unit that its column states. */
function meaningPairs(left: Quantity, right: Quantity, columns: CellColumns): [Meaning, Meaning][] {
  const goldUnit = columnUnit(columns.gold).unit
  const unit = columns.predicted === null ? goldUnit : (columnUnit(columns.predicted).unit ?? goldUnit)
  const inColumn = (quantity: Quantity, ofColumn: typeof unit): readonly Meaning[] =>
    quantity.meanings.map(meaning =>
      ofColumn === null ||
      meaning.dimension !== null ||
      quantity.shareOf !== null ||
      quantity.currency !== null
        ? meaning
        : { ...meaning, value: meaning.amount * ofColumn.factor, dimension: ofColumn.dimension },
    )
  return inColumn(left, goldUnit).flatMap(meaning =>
    inColumn(right, unit).map(other => [meaning, other] as [Meaning, Meaning]),
  )
}

const temperatures = new Set(['celsius', 'fahrenheit'])

/** Whether two numbers measure different things. `20°` may be a temperature. */
function measureDifferent({ dimension: left }: Meaning, { dimension: right }: Meaning): boolean {
  if (left === null || right === null || left === right) return false
  return !((left === 'angle' && temperatures.has(right)) || (right === 'angle' && temperatures.has(left)))
}

/** A number with one meaning. */
type ReadCell = Omit<Quantity, 'meanings'> & Meaning

/**
 * The possible readings of the two numbers, simplest first. A number without a percent sign is a percentage when its
 * column says so.
 */
function readings(left: ReadCell, right: ReadCell, columns: CellColumns): Reading[] {
  const goldShare = columnUnit(columns.gold).shareOf
  const predictedShare = columns.predicted === null ? null : columnUnit(columns.predicted).shareOf
  const [a, b] = [left.shareOf ?? goldShare, right.shareOf ?? predictedShare ?? goldShare]
  if (a === b) return scaleReadings(left, right, columns)
  if (a !== null && b !== null) return [['number-percent', left.value / a, right.value / b]]
  return percentReadings(
    [left.value, a],
    [right.value, b],
    predictedShare !== null || isPercentByNature(columns.gold),
  )
}

type Reading = readonly [rule: string, gold: number, predicted: number]

/**
 * The readings by scale. The scales in the columns' names decide. When the answer's column states none, its numbers
 * may be in the gold's unit or in full.
 */
function scaleReadings(left: ReadCell, right: ReadCell, columns: CellColumns): Reading[] {
  const goldScale = left.scaled ? 1 : columnUnit(columns.gold).scale
  const scale = right.scaled ? 1 : columns.predicted === null ? null : columnUnit(columns.predicted).scale
  const sameUnit = left.dimension === right.dimension
  const plain: Reading = [
    ruleOf(left, right),
    sameUnit ? left.value : left.amount,
    sameUnit ? right.value : right.amount,
  ]
  if ((goldScale ?? 1) === (scale ?? 1)) return [plain]
  const full: Reading = ['number-header-scale', left.value * (goldScale ?? 1), right.value * (scale ?? 1)]
  return scale === null ? [plain, full] : [full]
}

type Share = readonly [value: number, of: number | null]

/**
 * The readings of a share and a percentage. In a column of percentages, a plain number above 1 may be one without
 * its sign.
 */
function percentReadings([gold, a]: Share, [predicted, b]: Share, isPercent: boolean): Reading[] {
  const bare = a === null ? gold : predicted
  const share: Reading = ['number-percent', gold / (a ?? 1), predicted / (b ?? 1)]
  return isPercent && Math.abs(bare) > 1 ? [['number-percent', gold, predicted], share] : [share]
}

function ruleOf(left: ReadCell, right: ReadCell): string {
  if (left.scaled !== right.scaled)
    return left.hasLetter || right.hasLetter ? 'number-letter' : 'number-scale'
  if (left.dimension !== null || right.dimension !== null) return 'number-unit'
  if (left.shareOf !== right.shareOf) return 'number-percent'
  return left.currency === right.currency || sameCurrency(left, right) ? 'number' : 'number-currency'
}

const sameCurrency = (left: ReadCell, right: ReadCell): boolean =>
  JSON.stringify(left.currency?.usual) === JSON.stringify(right.currency?.usual)

const close = (gold: number, predicted: number): boolean =>
  Math.abs(gold - predicted) <= 1e-6 + 1e-5 * Math.abs(gold)
