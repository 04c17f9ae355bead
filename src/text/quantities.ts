import { multiply, readAmount, readYuan, type WrittenAmount } from './amounts.ts'
import { subjectOf } from './column-subjects.ts'
import { readCompoundAmount } from './compound-amounts.ts'
import { currenciesInName, readCurrency, readScaledCurrency, type WrittenCurrency } from './currencies.ts'
import { readDuration } from './durations.ts'
import { withDigits } from './number-words.ts'
import { plainAmount } from './numbers.ts'
import { readScaleLetter, readScaleWord } from './scales.ts'
import { type ShareOf, shareSignIn } from './unit-words.ts'
import { type Dimension, isUnitSymbol, readUnit, secondMeaning, toBaseUnit, type Unit } from './units.ts'

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
  const written = plainAmount(text).replace(emphasis, '$2')
  if (written === '' || written.length > longestQuantity) return null
  if (calendar.test(written) && subjectOf(column) !== 'length') return null
  const isExact = /^[\d-][\d.,]*$/.test(written) || !approximate.test(written)
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
  return text.replace(/(?<=\d\s?)[CFm]$/, letter => {
    const { subject, unit } = columnUnit(column)
    return lettersBySubject[subject ?? unit?.dimension ?? '']?.[letter] ?? letter
  })
}

function readPlain(text: string, isOneNumber: boolean, column: string): Quantity | null {
  const amount = readAmount(withUnitOfColumn(text, column), isOneNumber)
  if (amount !== null) return quantityOf(amount)
  const compound = readCompoundAmount(text, column)
  if (compound.length > 0)
    return { ...plainQuantity(0), meanings: compound.map(meaning => ({ ...meaning, scaled: false })) }
  const yuan = readYuan(text)
  if (yuan !== null) return { ...plainQuantity(yuan), currency: readCurrency('元') }
  return readMonths(text)
}

function quantityOf(amount: WrittenAmount): Quantity {
  const { number, scale, unit, isScaleLetter, hasScale, shareOf, currency, unitText } = amount
  const full = multiply(number, scale)
  const scaled: Meaning = { value: full, amount: full, scaled: hasScale, dimension: null }
  const measured =
    unit === null ? null : measure(isScaleLetter ? number : full, unit, !isScaleLetter && hasScale)
  const second = secondMeaning(unitText)
  const others = [
    ...(isScaleLetter && measured !== null ? [measured] : []),
    ...(second === null ? [] : [measure(full, second, hasScale)]),
  ]
  const meanings = [isScaleLetter ? scaled : (measured ?? scaled), ...others]
  const integer = shareOf === null && unit === null && !isScaleLetter ? amount.integer : null
  const hasLetter = isScaleLetter
  const isSymbol = isUnitSymbol(unitText)
  return { meanings, shareOf, integer, currency, hasLetter, isUnitSymbol: isSymbol, isApproximate: false }
}

const measure = (amount: number, unit: Unit, scaled: boolean): Meaning => ({
  ...{ value: toBaseUnit(amount, unit), amount, scaled, dimension: unit.dimension },
})

const plainQuantity = (value: number): Quantity => ({
  meanings: [{ value, amount: value, scaled: false, dimension: null }],
  ...{
    shareOf: null,
    integer: null,
    currency: null,
    hasLetter: false,
    isUnitSymbol: false,
    isApproximate: false,
  },
})

/** Years and months. A duration with days has no base. */
function readMonths(text: string): Quantity | null {
  const duration = readDuration(withDigits(text).toLowerCase())
  if (duration === null || duration.days > 0) return null
  const { months } = duration
  return { ...plainQuantity(months), meanings: [measure(months, { factor: 1, dimension: 'months' }, false)] }
}

/** What the name of a column says about its numbers. */
export interface ColumnUnit {
  /** The scale that the name states in brackets or after `in`; null when it states no unit. */
  readonly scale: number | null
  readonly unit: Unit | null
  readonly currencies: readonly WrittenCurrency[]
  /** Percentages, per mille or basis points; null when the name states none. */
  readonly shareOf: ShareOf | null
  /** What its words say that the numbers measure; `counted` for money and counts. */
  readonly subject: Dimension | 'counted' | null
}

const known = new Map<string, ColumnUnit>()
const mostKnown = 10_000

/** Reads what a column's name says about its numbers. Results are kept, because names recur. */
export function columnUnit(name: string): ColumnUnit {
  const kept = known.get(name)
  if (kept !== undefined) return kept
  if (known.size >= mostKnown) known.clear()
  const read = readColumn(name.normalize('NFKC'))
  known.set(name, read)
  return read
}

const stateForms =
  /\([^()]*\)|\[[^[\]]*\]|\bin\s+.*$|[,:]\s*[^,:]{1,12}$|_(?:in_)?(?:millions?|thousands?|billions?|mn|bn|pct|percent|kg|km|cm|mm|m|usd|eur|gbp|cny|jpy|k)$/gi

function readColumn(name: string): ColumnUnit {
  const parts = (name.match(stateForms) ?? []).map(part =>
    part
      .replace(/^[([_,:/]+|[)\]]+$/g, '')
      .replace(/^\s*(?:in_|in\s+)/i, '')
      .replaceAll('_', ' ')
      .trim(),
  )
  const unitText = parts.join(' ')
  const currencies = currenciesInName(name.replaceAll('_', ' '), unitText)
  const subject = subjectOf(name)
  const words = parts.flatMap(part => [part, ...part.split(/[\s,;()]+/)])
  const isCounted = currencies.length > 0 || subject === 'counted'
  const unit = words.map(word => unitIn(word, isCounted, subject)).find(one => one !== null) ?? null
  const scale = unit?.dimension === 'force' ? null : scaleIn(unitText, isCounted)
  const isFull = currencies.length > 0 || /[元股]|\bshares?\b/i.test(unitText)
  const shareOf = shareIn(name, unitText, subject)
  return { scale: scale ?? (isFull ? 1 : null), unit, currencies, shareOf, subject }
}

/** What a column's name says that its numbers are shares of. `bps` may be bits per second, and BP a name. */
function shareIn(name: string, unitText: string, subject: ColumnUnit['subject']): ShareOf | null {
  const isRate = subject !== 'data' && !/\bbaud\b/i.test(name)
  if (isRate && (/(?<![a-z])bps(?![a-z])|basis points?|基点/i.test(name) || /\bbp\b/.test(unitText)))
    return 10_000
  return shareSignIn(name) ?? (/\bp\.?p\b|百分点/i.test(unitText) ? 100 : null)
}

const shareUnits = new Set<Dimension>(['shares', 'people', 'pages', 'multiple'])

/** The unit that a word of a column's name states. Beside money, a letter is a scale. */
function unitIn(word: string, isCounted: boolean, subject: ColumnUnit['subject']): Unit | null {
  if ((isCounted || (word === 'MN' && subject !== 'force')) && readScaleLetter(word) !== null) return null
  const symbol = word === 'pp' && subject === null ? 'p.p.' : word
  const unit = isUnitSymbol(symbol) || word.length > 1 ? readUnit(symbol) : null
  return unit === null || shareUnits.has(unit.dimension) ? null : unit
}

const headerScales: readonly (readonly [RegExp, number])[] = [
  [/billions?|\bbn\b|十亿/i, 1e9],
  [/亿/, 1e8],
  [/millions?|\bmn\b|\bmln\b|\bmm\b(?=\s*(?:usd|\$))|百万/i, 1e6],
  [/万/, 1e4],
  [/thousands?|千元|'000|\bk(?=[A-Z]{3}\b)/i, 1e3],
]

/** The scale in the part of a column's name that states a unit. A letter counts beside money: `$m`, `USD k`, `kSEK`. */
function scaleIn(unitText: string, isCounted: boolean): number | null {
  const named = headerScales.find(([pattern]) => pattern.test(unitText))?.[1]
  if (named !== undefined) return named
  for (const [written, word = ''] of unitText.matchAll(/(\p{L}+)\p{Sc}?/gu)) {
    const factor = readScaleWord(word) ?? readScaledCurrency(written)?.factor ?? null
    if (factor !== null) return factor
    const letter = isCounted ? readScaleLetter(word) : null
    if (letter !== null) return letter
  }
  return null
}

/** The scale that a column's name states in brackets or after `in`; null when it states no unit. */
export const statedScale = (name: string): number | null => columnUnit(name).scale

/**
 * Whether a column's name is that of a figure which is printed in percent, such as a margin. Ratios, exchange rates and
 * amounts a unit are not: a current ratio of 1.5 is not 1.5%.
 */
export const isPercentByNature = (name: string): boolean =>
  /\bmargins?\b|\bgrowth\b|\bshare of\b|\breturn on\b|率/i.test(name)
    ? !/汇率|倍率|per |周转率/i.test(name)
    : /\brate\b/i.test(name) &&
      !/exchange|conversion|turnover|heart|hourly|daily|per |\bflow|\bdata|\bbit|frame/i.test(name)

/** The columns of two values that are compared. `predicted` is null when the answer's column is unknown. */
export interface ComparedColumns {
  readonly gold: string
  readonly predicted: string | null
}

/** Two quantities under their columns. Letters that may be a scale or a unit have the meanings that are left. */
export interface ComparedQuantities {
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
  const goldColumn = columnUnit(columns.gold)
  const otherColumn = columns.predicted === null ? goldColumn : columnUnit(columns.predicted)
  return {
    gold: decideLetter(left, right, goldColumn),
    predicted: decideLetter(
      right,
      left,
      otherColumn.unit === null && otherColumn.subject === null ? goldColumn : otherColumn,
    ),
    currenciesDiffer: differ(
      currenciesOf(left, goldColumn),
      currenciesOf(right, columns.predicted === null ? null : otherColumn),
    ),
  }
}

/**
 * Decides whether a letter is a scale or a unit: by a currency beside it, then by the column's name, then by the other
 * value. When nothing decides, both meanings stay possible.
 */
function decideLetter(quantity: Quantity, other: Quantity, column: ColumnUnit): Quantity {
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
  const isMeasured = other.meanings.some(({ dimension }) => dimension === unit.dimension)
  const isScaled =
    other.currency !== null || (!other.hasLetter && other.meanings.some(({ scaled }) => scaled))
  if (isMeasured) return only(other.hasLetter && !other.isUnitSymbol ? scale : unit)
  return isScaled ? only(scale) : quantity
}

/** The currencies that a number may be in; empty when nothing states one. */
function currenciesOf({ currency }: Quantity, column: ColumnUnit | null): readonly string[] {
  const stated = column?.currencies ?? []
  const named = stated.flatMap(({ usual }) => usual)
  if (currency === null) return named
  const refined = named.filter(code => currency.meanings.includes(code))
  return refined.length > 0 ? refined : currency.usual
}

const differ = (left: readonly string[], right: readonly string[]): boolean =>
  left.length > 0 && right.length > 0 && !left.some(code => right.includes(code))
