import { multiply, readAmount, readYuan, type WrittenAmount } from './amounts.ts'
import { type ColumnUnit, readColumnUnit } from './column-units.ts'
import { readCompoundAmount } from './compound-amounts.ts'
import { readCurrency, type WrittenCurrency } from './currencies.ts'
import { readDuration } from './durations.ts'
import { withDigits } from './number-words.ts'
import { writePlainAmount } from './numbers.ts'
import type { ShareOf } from './unit-words.ts'
import { type Dimension, findSecondMeaning, isUnitSymbol, toBaseUnit, type Unit } from './units.ts'

/** One meaning of a number with what stands beside it. */
export interface Meaning {
  /** In the base of its unit and in full: 2 kg is 2,000, and 5 million is 5,000,000. */
  readonly value: number
  /** As written, without its unit: 2 kg is 2. */
  readonly amount: number
  /** The text states a scale itself (million, 万, k). */
  readonly scaled: boolean
  /** What the unit measures; null when there is none. */
  readonly dimension: Dimension | null
}

/** A number with its percent sign, scale, currency and unit. */
export interface Quantity {
  /** What it may mean: two meanings when a letter is a scale or a unit, as in 5 m. */
  readonly meanings: readonly Meaning[]
  /** What it is a share of; null without such a sign. */
  readonly shareOf: ShareOf | null
  /** The digits of an integer that stands without scale, percent sign and unit; null for any other number. */
  readonly integer: string | null
  readonly currency: WrittenCurrency | null
  /** The scale or the unit is one letter, which may mean the other. */
  readonly hasLetter: boolean
  /** The letter is the symbol of its unit in this letter case: m, but not M. */
  readonly isUnitSymbol: boolean
  /** The text says that the number is not exact: ~12, about 12. */
  readonly isApproximate: boolean
}

const longestQuantity = 80
/** A power of ten is a scale: 1.2e6, 1.2 × 10^6. */
const power = /\d\s*(?:[eE][-+]?\d|[×x*·])/
/** Emphasis in Markdown around a whole value: **14200**. */
const emphasis = /^(\*\*|__|[*_`])(.+)\1$/s

/** Words and signs that call a number inexact, before or after it. */
const approximate =
  /^(?:[~≈≃≅∼〜]|(?:[Aa]pprox(?:imately)?|[Cc]irca|ca|c(?=\.)|[Aa]bout|[Aa]round|[Rr]oughly|[Uu]ngefähr|[Ee]twa|[Rr]und|[Ee]nviron|unos|unas|aproximadamente|cerca de|około|около|примерно)(?:\.|(?=\s))|大约|约|約|およそ)\s*(?=[-\d(\p{Sc}\p{Lu}])|\s*(?:\((?:approx\.?|approximately|est\.?|estimated)\)|左右)$/u
/** A year of a calendar, a decade or a time of day. */
const calendar = /^(?:\d{4}年|[12]\d\d0s|(?:0?[1-9]|1[0-2]) ?[ap]m)$/

/**
 * Reads a text that is one number with sign, scale, percent, currency or units of measure; null for anything else.
 *
 * @param isOneNumber whether `3,5` cannot be two numbers
 * @param column the name of the column, which decides what `20 C`, `90m` and `1:30` are
 */
export function readQuantity(text: string, isOneNumber = false, column = ''): Quantity | null {
  const written = writePlainAmount(text).replace(emphasis, '$2')
  if (written === '' || written.length > longestQuantity) return null
  const last = written.charAt(written.length - 1)
  if ('年sm'.includes(last) && calendar.test(written) && readColumnUnit(column).subject !== 'length')
    return null
  const mayBeInexact = last === ')' || last === '右' || !/^[-\d]/.test(written)
  const isExact = !mayBeInexact || !approximate.test(written)
  const plain = isExact ? written : written.replace(approximate, '')
  const quantity = readPlain(plain, isOneNumber, column)
  if (quantity === null) return null
  const isPower = power.test(text)
  return isPower || !isExact
    ? { ...quantity, integer: isPower ? null : quantity.integer, isApproximate: !isExact }
    : quantity
}

/** Letters that are units under the name of a column. */
const lettersBySubject: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  temperature: { C: '°C', F: '°F' },
  time: { m: 'min' },
}

function withUnitOfColumn(text: string, column: string): string {
  if (!'CFm'.includes(text.charAt(text.length - 1))) return text
  return text.replace(/(?<=\d\s?)[CFm]$/, letter => {
    const { subject, unit } = readColumnUnit(column)
    return lettersBySubject[subject ?? unit?.dimension ?? '']?.[letter] ?? letter
  })
}

function readPlain(text: string, isOneNumber: boolean, column: string): Quantity | null {
  const amount = readAmount(withUnitOfColumn(text, column), isOneNumber)
  if (amount !== null) return makeQuantity(amount)
  const compound = readCompoundAmount(text, column)
  if (compound.length > 0)
    return { ...makePlainQuantity(0), meanings: compound.map(meaning => ({ ...meaning, scaled: false })) }
  const yuan = readYuan(text)
  if (yuan !== null) return { ...makePlainQuantity(yuan), currency: readCurrency('元') }
  return readMonths(text)
}

function makeQuantity(amount: WrittenAmount): Quantity {
  const { number, scale, unit, isScaleLetter, hasScale, shareOf, currency, unitText, grouped } = amount
  const full = multiply(number, scale)
  const scaled: Meaning = { value: full, amount: full, scaled: hasScale, dimension: null }
  const measured =
    unit === null ? null : measure(isScaleLetter ? number : full, unit, !isScaleLetter && hasScale)
  const second = findSecondMeaning(unitText)
  const furtherMeanings = [
    ...(isScaleLetter && measured !== null ? [measured] : []),
    ...(second === null ? [] : [measure(full, second, hasScale)]),
    ...(grouped === null ? [] : [{ ...scaled, value: grouped, amount: grouped }]),
  ]
  const meanings = [isScaleLetter ? scaled : (measured ?? scaled), ...furtherMeanings]
  const integer = shareOf === null && unit === null && !isScaleLetter ? amount.integer : null
  const hasLetter = isScaleLetter
  const isSymbol = isUnitSymbol(unitText)
  return { meanings, shareOf, integer, currency, hasLetter, isUnitSymbol: isSymbol, isApproximate: false }
}

const measure = (amount: number, unit: Unit, scaled: boolean): Meaning => ({
  value: toBaseUnit(amount, unit),
  amount,
  scaled,
  dimension: unit.dimension,
})

const makePlainQuantity = (value: number): Quantity => ({
  meanings: [{ value, amount: value, scaled: false, dimension: null }],
  shareOf: null,
  integer: null,
  currency: null,
  hasLetter: false,
  isUnitSymbol: false,
  isApproximate: false,
})

/** Years and months. A duration with days has no base. */
function readMonths(text: string): Quantity | null {
  const duration = readDuration(withDigits(text).toLowerCase())
  if (duration === null || duration.days > 0) return null
  const { months } = duration
  return {
    ...makePlainQuantity(months),
    meanings: [measure(months, { factor: 1, dimension: 'months' }, false)],
  }
}

/** The columns of two values that are compared. `predicted` is null when the answer's column is unknown. */
export interface ComparedColumns {
  readonly gold: string
  readonly predicted: string | null
}

/** Two quantities under their columns. Letters that may be a scale or a unit have the meanings that are left. */
interface ComparedQuantities {
  readonly gold: Quantity
  readonly predicted: Quantity
  readonly currenciesDiffer: boolean
}

/** Decides, by each other and by their columns, what the letters and signs of two quantities mean. */
export function compareQuantities(
  left: Quantity,
  right: Quantity,
  columns: ComparedColumns,
): ComparedQuantities {
  const goldColumn = readColumnUnit(columns.gold)
  const otherColumn = columns.predicted === null ? goldColumn : readColumnUnit(columns.predicted)
  return {
    gold: decideLetter(left, right, goldColumn),
    predicted: decideLetter(
      right,
      left,
      otherColumn.unit === null && otherColumn.subject === null ? goldColumn : otherColumn,
    ),
    currenciesDiffer: differ(
      listPossibleCurrencies(left, goldColumn),
      listPossibleCurrencies(right, columns.predicted === null ? null : otherColumn),
    ),
  }
}

/**
 * Decides whether a letter is a scale or a unit: by a currency beside it, then by the column's name, then by the other
 * value. When nothing decides, both meanings stay possible.
 */
function decideLetter(quantity: Quantity, counterpart: Quantity, column: ColumnUnit): Quantity {
  if (!quantity.hasLetter) return quantity
  const [scale, unit] = quantity.meanings as readonly [Meaning, Meaning | undefined]
  const only = (meaning: Meaning): Quantity => ({ ...quantity, meanings: [meaning] })
  if (unit === undefined || quantity.currency !== null) return only(scale)
  const ofColumn = column.unit?.dimension ?? column.subject
  if (column.currencies.length > 0 || ofColumn === 'counted') return only(scale)
  if (ofColumn === unit.dimension) return only(unit)
  if (ofColumn !== null && ofColumn !== 'time' && quantity.isUnitSymbol && column.unit !== null)
    return only(unit)
  if (!quantity.isUnitSymbol) return only(scale)
  const isMeasured = counterpart.meanings.some(({ dimension }) => dimension === unit.dimension)
  const isScaled =
    counterpart.currency !== null ||
    (!counterpart.hasLetter && counterpart.meanings.some(({ scaled }) => scaled))
  if (isMeasured) return only(counterpart.hasLetter && !counterpart.isUnitSymbol ? scale : unit)
  return isScaled ? only(scale) : quantity
}

/** The currencies that a number may be in; empty when nothing states one. */
function listPossibleCurrencies({ currency }: Quantity, column: ColumnUnit | null): readonly string[] {
  const stated = column?.currencies ?? []
  const named = stated.flatMap(({ usual }) => usual)
  if (currency === null) return named
  const refined = named.filter(code => currency.meanings.includes(code))
  return refined.length > 0 ? refined : currency.usual
}

const differ = (left: readonly string[], right: readonly string[]): boolean =>
  left.length > 0 && right.length > 0 && !left.some(code => right.includes(code))
