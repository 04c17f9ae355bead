import { readDuration } from '../../text/durations.ts'
import { withDigits } from '../../text/number-words.ts'
import { composeUnicode, readNumber } from '../../text/numbers.ts'

/** A number with its percent sign, scale, currency and unit. */
export interface Quantity {
  /** In the base of its unit: 2 kg is 2,000, and 3 years is 36. */
  readonly value: number
  /** As written, without its unit: 2 kg is 2. */
  readonly amount: number
  readonly percent: boolean
  /** The text states a scale itself (million, 万). */
  readonly scaled: boolean
  readonly currency: string | null
  /** All currencies that its sign may mean, `currency` first. */
  readonly currencies: readonly string[]
  /** The unit of measure in a uniform spelling; null when there is none. */
  readonly unit: string | null
}

const currencies: readonly (readonly [RegExp, string])[] = [
  [/US\$|USD|美元|U\.S\. dollars?|US dollars?/i, 'USD'],
  [/HK\$|HKD|港元|港币/i, 'HKD'],
  [/RMB|CNY|人民币|人民幣|yuan/i, 'CNY'],
  [/EUR|€|euros?|欧元/i, 'EUR'],
  [/GBP|£|英镑/i, 'GBP'],
  [/JPY|日元|円/i, 'JPY'],
]

const units: readonly (readonly [RegExp, string, number])[] = [
  [/^(?:kg|kilograms?|kilos?|公斤|千克)$/i, 'g', 1000],
  [/^(?:g|grams?|克)$/i, 'g', 1],
  [/^(?:mg|milligrams?|毫克)$/i, 'g', 0.001],
  [/^(?:t|tons?|tonnes?|吨)$/i, 'g', 1e6],
  [/^(?:km|kilomet(?:er|re)s?|公里|千米)$/i, 'm', 1000],
  [/^(?:m|met(?:er|re)s?|米)$/i, 'm', 1],
  [/^(?:cm|centimet(?:er|re)s?|厘米)$/i, 'm', 0.01],
  [/^(?:mm|millimet(?:er|re)s?|毫米)$/i, 'm', 0.001],
  [/^(?:y|yrs?|years?|年)$/i, 'month', 12],
  [/^(?:mo|months?|个月|個月)$/i, 'month', 1],
  [/^(?:d|days?|天)$/i, 'day', 1],
  [/^(?:h|hrs?|hours?|小时)$/i, 's', 3600],
  [/^(?:min|mins|minutes?|分钟)$/i, 's', 60],
  [/^(?:s|secs?|seconds?|秒)$/i, 's', 1],
  [/^(?:ms|milliseconds?|毫秒)$/i, 's', 0.001],
  [/^(?:pages?|页)$/i, 'page', 1],
  [/^(?:shares?|股)$/i, 'share', 1],
  [/^(?:people|persons?|employees?|人|名)$/i, 'person', 1],
]

const measured = /^(?<number>[-+−–(]?\s*[\d.,]+\)?|[零〇一二两三四五六七八九十百千万亿]+)\s*(?<unit>\p{L}+)$/u
/** Reads a text that is one number with sign, scale, percent, currency or unit of measure; null for anything else. */
export function readQuantity(text: string): Quantity | null {
  const plain = composeUnicode(text).trim()
  if (plain === '' || plain.length > 80) return null
  const named = currencies.find(([pattern]) => pattern.test(plain))?.[1]
  const possible = named !== undefined ? [named] : (meantBySign(plain) ?? (/元/.test(plain) ? ['CNY'] : []))
  const number = readNumber(plain)
  if (number !== null) {
    return {
      value: number.value,
      amount: number.value,
      percent: number.percent,
      scaled: number.scale !== 1 || /[万萬亿億]/.test(plain),
      currency: possible[0] ?? null,
      currencies: possible,
      unit: null,
    }
  }
  return readMeasured(plain) ?? readMonths(plain)
}

/** Years and months. A duration with days has no base. */
function readMonths(text: string): Quantity | null {
  const duration = readDuration(withDigits(text))
  if (duration === null || duration.days > 0) return null
  const { months } = duration
  const isOne = { percent: false, scaled: false, currency: null, currencies: [] }
  return { value: months, amount: months, ...isOne, unit: 'month' }
}

function readMeasured(text: string): Quantity | null {
  const groups = measured.exec(text)?.groups
  // 2024年 is a date.
  if (groups === undefined || /^\d{4}年$/.test(text)) return null
  const unit = units.find(([pattern]) => pattern.test(groups.unit!))
  const number = readNumber(groups.number!)
  if (unit === undefined || number === null) return null
  return {
    value: number.value * unit[2],
    amount: number.value,
    percent: false,
    scaled: false,
    currency: null,
    currencies: [],
    unit: unit[1],
  }
}

const headerScales: readonly (readonly [RegExp, number])[] = [
  [/billions?|\bbn\b|十亿/i, 1e9],
  [/亿/, 1e8],
  [/millions?|\bmn\b|\bmm\b|百万/i, 1e6],
  [/万/, 1e4],
  [/thousands?|千元|'000/i, 1e3],
]

/** The text in a column's name that may state a unit: in brackets or after `in`; '' when there is none. */
const statedUnit = (name: string): string =>
  (name.match(/\([^()]*\)|\[[^[\]]*\]|\bin\s+.*$|_(?:in_)?(?:millions?|thousands?|billions?|mn|bn)$/gi) ?? [])
    .join(' ')
    .replaceAll('_', ' ')

/**
 * The scale that a column's name states in brackets or after `in`: `Revenue (USD millions)` 1e6, `Revenue (USD)` 1.
 * Null when it states no unit.
 */
export function statedScale(name: string): number | null {
  const unit = statedUnit(name.normalize('NFKC'))
  const scale = headerScales.find(([pattern]) => pattern.test(unit))?.[1]
  return scale ?? (headerCurrencies(name).length > 0 || /[元股]|\bshares?\b/i.test(unit) ? 1 : null)
}

const currencyNames =
  /US\$|HK\$|(?<![a-z])(?:USD|HKD|RMB|CNY|EUR|GBP|JPY)(?![a-z])|[€£]|人民币|人民幣|美元|港元|港币|欧元|英镑|日元|円/gi
/** Words that mean a currency only as a unit: there is also a Euro area and a Yuan dynasty. */
const currencyWords = /U\.?S\.? dollars?|yuan|euros?/gi

/** The currencies that a column's name may mean; empty when it states none. */
function headerCurrencies(name: string): readonly string[] {
  const plain = name.normalize('NFKC').replaceAll('_', ' ')
  const unit = statedUnit(plain)
  const named = [...plain.matchAll(currencyNames), ...unit.matchAll(currencyWords)].map(
    ([word]) => currencies.find(([pattern]) => pattern.test(word))![1],
  )
  return named.length > 0 ? named : (meantBySign(plain) ?? (/元/.test(unit) ? ['CNY'] : []))
}

/** The currencies that a sign on its own may mean. */
const meantBySign = (text: string): readonly string[] | null =>
  /[¥￥]/.test(text) ? ['CNY', 'JPY'] : /\$/.test(text) ? ['USD', 'HKD'] : null

/** The currencies that a number may be in. The name of its column decides when the number only has a sign. */
export function currenciesOf(quantity: Quantity, column: string | null): readonly string[] {
  const stated = column === null ? [] : headerCurrencies(column)
  const refined = stated.filter(currency => quantity.currencies.includes(currency))
  return quantity.currencies.length === 0 ? stated : refined.length > 0 ? refined : quantity.currencies
}

/** Whether a column's name says that its numbers are percentages. */
export const isPercentColumn = (name: string): boolean => /[%％‰]|percent|\bpct\b/i.test(name)

/** Whether a column's name says that its numbers are shares or rates. */
export const isRateColumn = (name: string): boolean =>
  /ratio|rate|margin|growth|share of|return on|率|比/i.test(name)
