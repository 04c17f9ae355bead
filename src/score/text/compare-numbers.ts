import { isPercentByNature, readColumnUnit } from '../../text/column-units.ts'
import {
  type ComparedColumns,
  compareQuantities,
  type Meaning,
  type Quantity,
} from '../../text/quantities.ts'
import type { ShareOf } from '../../text/unit-words.ts'
import { toBaseUnit } from '../../text/units.ts'

/** How two numbers compare: the rule by which they are equal, or why they differ. */
type NumberComparison =
  | { readonly isEqual: true; readonly rule: string }
  | {
      readonly isEqual: false
      readonly rule: 'currency-different' | 'unit-different' | 'number-different'
    }

/**
 * Compares two numbers with their signs, scales, percent signs, currencies and units, under the names of their columns.
 *
 * Two plain integers are the same when their digits are: they may be codes, and nothing has rounded them.
 *
 * @param areClose whether two numbers in the same unit are the same, when they have decimals or were converted
 * @param needsUnit whether a number without a unit differs from one with a unit that the columns do not state
 */
export function compareNumbers(
  gold: Quantity,
  predicted: Quantity,
  columns: ComparedColumns,
  areClose: (gold: number, predicted: number) => boolean,
  needsUnit = false,
): NumberComparison {
  const reading = compareQuantities(gold, predicted, columns)
  if (reading.currenciesDiffer) return { isEqual: false, rule: 'currency-different' }
  const pairs = pairMeanings(reading.gold, reading.predicted, columns)
  const sameKind = pairs.filter(
    ([left, right]) =>
      (needsUnit ? left.dimension === right.dimension : !haveDifferentDimensions(left, right)) &&
      ((left.dimension ?? right.dimension) === null ||
        !isShareBesideUnit(
          [reading.gold.shareOf, left.dimension],
          [reading.predicted.shareOf, right.dimension],
          columns.gold,
        )) &&
      !isMoneyBesideUnit(reading.gold, reading.predicted, right) &&
      !isMoneyBesideUnit(reading.predicted, reading.gold, left),
  )
  if (sameKind.length === 0) return { isEqual: false, rule: 'unit-different' }
  if (hasForeignSign(reading.gold, reading.predicted, columns))
    return { isEqual: false, rule: 'unit-different' }
  const integersDiffer =
    gold.integer !== null && predicted.integer !== null && gold.integer !== predicted.integer
  for (const [left, right] of sameKind) {
    if (integersDiffer && areClose(left.amount, right.amount)) continue
    for (const [rule, a, b] of listReadings(
      { ...reading.gold, ...left },
      { ...reading.predicted, ...right },
      columns,
    ))
      if (areClose(a, b)) return { isEqual: true, rule }
  }
  return { isEqual: false, rule: 'number-different' }
}

/** Every combination of what two numbers may mean. A number without a unit is in the unit that its column states. */
function pairMeanings(left: Quantity, right: Quantity, columns: ComparedColumns): [Meaning, Meaning][] {
  const goldUnit = readColumnUnit(columns.gold).unit
  const unit = columns.predicted === null ? goldUnit : (readColumnUnit(columns.predicted).unit ?? goldUnit)
  const inColumn = (quantity: Quantity, ofColumn: typeof unit): readonly Meaning[] =>
    quantity.meanings.map(meaning =>
      ofColumn === null ||
      meaning.dimension !== null ||
      quantity.shareOf !== null ||
      quantity.currency !== null
        ? meaning
        : { ...meaning, value: toBaseUnit(meaning.amount, ofColumn), dimension: ofColumn.dimension },
    )
  return inColumn(left, goldUnit).flatMap(meaning =>
    inColumn(right, unit).map(predictedMeaning => [meaning, predictedMeaning] as [Meaning, Meaning]),
  )
}

/** Whether two numbers measure different things. `20°` may be a temperature. */
function haveDifferentDimensions({ dimension: left }: Meaning, { dimension: right }: Meaning): boolean {
  if (left === null || right === null || left === right) return false
  return !(left === 'angle' && right === 'temperature') && !(right === 'angle' && left === 'temperature')
}

/**
 * Whether one number is a share and the other has a unit. Under a column of percentage points, a percent sign stands for
 * them; under a column of percentages, points are something else.
 */
function isShareBesideUnit(left: SharedUnit, right: SharedUnit, column: string): boolean {
  const { unit, shareOf } = readColumnUnit(column)
  if (unit?.dimension === 'points') return false
  const isShare = ([share, dimension]: SharedUnit): boolean =>
    share !== null || (shareOf !== null && dimension === null)
  const hasUnit = ([, dimension]: SharedUnit): boolean => dimension !== null && dimension !== 'multiple'
  return (isShare(left) && hasUnit(right)) || (isShare(right) && hasUnit(left))
}

type SharedUnit = readonly [shareOf: ShareOf | null, dimension: Meaning['dimension']]

const ofCounts = new Set<Meaning['dimension']>([null, 'people', 'shares', 'pages'])

/** Whether only one of two numbers that count things states a unit or a currency: 12 beds are not 12 kg. */
function hasForeignSign(left: Quantity, right: Quantity, { gold, predicted }: ComparedColumns): boolean {
  const names = predicted === null ? [gold] : [gold, predicted]
  if (
    !readColumnUnit(gold).isCount ||
    names.some(name => readColumnUnit(name).unit !== null || readColumnUnit(name).currencies.length > 0)
  )
    return false
  const isForeign = ({ currency, meanings }: Quantity): boolean =>
    currency !== null || meanings.every(({ dimension }) => !ofCounts.has(dimension))
  return isForeign(left) !== isForeign(right)
}

/** Whether a number is money and the other states a unit itself. */
const isMoneyBesideUnit = ({ currency }: Quantity, counterpart: Quantity, meaning: Meaning): boolean =>
  currency !== null &&
  counterpart.meanings.includes(meaning) &&
  meaning.dimension !== null &&
  meaning.dimension !== 'shares'

/** A number with one meaning. */
type NumberWithMeaning = Omit<Quantity, 'meanings'> & Meaning

/**
 * The possible readings of the two numbers, simplest first. A number without a percent sign is a percentage when its
 * column says so.
 */
function listReadings(
  left: NumberWithMeaning,
  right: NumberWithMeaning,
  columns: ComparedColumns,
): ComparedNumbers[] {
  const goldShare = readColumnUnit(columns.gold).shareOf
  const predictedShare = columns.predicted === null ? null : readColumnUnit(columns.predicted).shareOf
  const [a, b] = [left.shareOf ?? goldShare, right.shareOf ?? predictedShare ?? goldShare]
  if (a === b) return listScaleReadings(left, right, columns)
  if (a !== null && b !== null) return [['number-percent', left.value / a, right.value / b]]
  return listPercentReadings(
    [left.value, a],
    [right.value, b],
    predictedShare ?? (isPercentByNature(columns.gold) ? 100 : null),
  )
}

type ComparedNumbers = readonly [rule: string, gold: number, predicted: number]

/**
 * The readings by scale. The scales in the columns' names decide. When the answer's column states none, its numbers
 * may be in the gold's unit or in full.
 */
function listScaleReadings(
  left: NumberWithMeaning,
  right: NumberWithMeaning,
  columns: ComparedColumns,
): ComparedNumbers[] {
  const goldScale = readColumnUnit(columns.gold).scale
  const scale = columns.predicted === null ? null : readColumnUnit(columns.predicted).scale
  const unit = left.dimension === right.dimension ? computeSmallUnit(left) : null
  const plain: ComparedNumbers = [
    nameRule(left, right),
    unit === null ? left.amount : left.value / unit,
    unit === null ? right.amount : right.value / unit,
  ]
  if (goldScale === null && scale === null) return [plain]
  return listPossibleScales(left, goldScale, true).flatMap(a =>
    listPossibleScales(right, scale, false).flatMap(b => {
      if ((a ?? 1) === (b ?? 1)) return [plain]
      const full: ComparedNumbers = ['number-header-scale', left.value * (a ?? 1), right.value * (b ?? 1)]
      return b === null ? [plain, full] : [full]
    }),
  )
}

/**
 * The scales that a number may have. Beside a sign of money, `$5` under `USD millions`, it may be in the column's scale or
 * in full. Beside a code or word, `5 USD`, an answer is in full.
 */
function listPossibleScales(
  { scaled, currency }: NumberWithMeaning,
  ofColumn: number | null,
  isGold: boolean,
): (number | null)[] {
  if (scaled) return [1]
  if (currency === null) return [ofColumn]
  return isGold || currency.isSign ? [ofColumn, 1] : [1]
}

/** The size of a unit smaller than its base, in which small amounts are compared; 1 for other units. */
const computeSmallUnit = ({ value, amount }: Meaning): number => Math.min(1, Math.abs(value / amount) || 1)

type Share = readonly [value: number, of: ShareOf | null]

/**
 * The readings of a share and a percentage. In a column of percentages, a plain number above 1 may be one without
 * its sign; beside per mille it has the same sign.
 *
 * @param ofColumn what plain numbers of the column may be shares of
 */
function listPercentReadings(
  [gold, a]: Share,
  [predicted, b]: Share,
  ofColumn: ShareOf | null,
): ComparedNumbers[] {
  const bare = a === null ? gold : predicted
  const share: ComparedNumbers = ['number-percent', gold / (a ?? 1), predicted / (b ?? 1)]
  if (ofColumn === null || Math.abs(bare) <= 1) return [share]
  const bareOf = a === 1000 || b === 1000 ? 1000 : ofColumn
  return [['number-percent', gold / (a ?? bareOf), predicted / (b ?? bareOf)], share]
}

function nameRule(left: NumberWithMeaning, right: NumberWithMeaning): string {
  if (left.scaled !== right.scaled)
    return left.hasLetter || right.hasLetter ? 'number-letter' : 'number-scale'
  if (left.dimension !== null || right.dimension !== null) return 'number-unit'
  if (left.shareOf !== right.shareOf) return 'number-percent'
  if (left.isApproximate !== right.isApproximate) return 'number-approximate'
  return left.currency === right.currency || isSameCurrency(left, right) ? 'number' : 'number-currency'
}

const isSameCurrency = (left: NumberWithMeaning, right: NumberWithMeaning): boolean =>
  JSON.stringify(left.currency?.usual) === JSON.stringify(right.currency?.usual)
