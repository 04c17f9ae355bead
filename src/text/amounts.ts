import { readWord, type Word } from './amount-words.ts'
import {
  hasThreeDecimals,
  joinCurrencies,
  mayGroupWithPoints,
  readCurrency,
  readScaledCurrency,
  type WrittenCurrency,
} from './currencies.ts'
import { withDecimalPoint } from './decimal-signs.ts'
import { anyFigure, readChineseNumeral, writePlainAmount } from './numbers.ts'
import { readShareSign, type ShareOf } from './unit-words.ts'
import type { Unit } from './units.ts'

/** A number that was read from a text. */
interface ReadNumber {
  /** In full units: `1.2 billion` is 1,200,000,000; `12.3%` is 12.3; `(5)` is -5. */
  readonly value: number
  /** Whether the text has a percent sign. */
  readonly percent: boolean
  /** The factor of the scale word, such as 1e9 for `billion`; 1 without one. */
  readonly scale: number
}

/** A text that is one number with everything that stands beside it. */
export interface WrittenAmount {
  /** As printed, without scale and unit; negative for a minus sign or parentheses. */
  readonly number: number
  /** The number of digits after the decimal sign. */
  readonly decimals: number
  /** The digits of a number without decimal sign, scale and Chinese numerals, with its minus; null for other numbers. */
  readonly integer: string | null
  /** Null without a percent sign or the like. */
  readonly shareOf: ShareOf | null
  /** The factor of the scale words; 1 without any. */
  readonly scale: number
  /** Whether the text states a scale itself: million, 万, also within Chinese numerals. */
  readonly hasScale: boolean
  /** Whether the scale is a letter that is also a unit: m, mm, k, K, b, t. `unit` is then the other meaning. */
  readonly isScaleLetter: boolean
  readonly currency: WrittenCurrency | null
  readonly unit: Unit | null
  /** The scale letter or the unit as written; '' without one. */
  readonly unitText: string
  /** The number when its point groups the digits, as it may after a sign of money: 5000 for `€5.000`. Null for other numbers. */
  readonly grouped: number | null
}

/** A number alone. */
const nothingBeside = {
  shareOf: null,
  scale: 1,
  isScaleLetter: false,
  currency: null,
  unit: null,
  unitText: '',
  grouped: null,
} as const

const grouped = String.raw`\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?|\d{1,3}(?:['’\u00a0\u202f ]\d{3})+(?:[.,]\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?`
/** Continental European: points group the digits, and a comma begins the fraction. */
const pointGrouped = String.raw`\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}`
/** `3,5` may be two numbers, so it is only read beside a currency, a unit or a percent sign. */
const commaFraction = String.raw`\d+,\d{1,2}`
const chineseSign = '零〇一二三四五六七八九壹贰叁肆伍陆柒捌玖两貳參陸十百千拾佰仟万萬亿億兆'
const amountForm = new RegExp(
  String.raw`^(?<before>(?:\.(?!\d)|[^\d.零〇一二三四五六七八九壹贰叁肆伍陆柒捌玖两貳參陸十拾])*)` +
    `(?<digits>${pointGrouped}|${grouped}|${commaFraction}|\\d+(?:\\.\\d+)?|\\.\\d+|[${chineseSign}]+)` +
    String.raw`(?<after>(?:\s*[^\d\s].*)?)$`,
  'su',
)
const wholeCommaFraction = new RegExp(`^(?:${commaFraction})$`)
const hasCommaFraction = new RegExp(
  `^(?:${pointGrouped}|${commaFraction}|\\d{1,3}(?:['’ \\u00a0\\u202f]\\d{3})+,\\d+)$`,
)

/**
 * Reads a text that is one number, with a sign or parentheses for minus, thousands separators, Chinese numerals, a scale
 * word, a currency, a percent sign or a unit of measure. White space between them means nothing.
 *
 * @param text composed by `writePlainAmount`
 * @param isOneNumber whether `3,5` cannot be two numbers, as in a column of numbers
 * @returns null for any other text
 */
export function readAmount(text: string, isOneNumber = false): WrittenAmount | null {
  if (!anyFigure.test(text)) return null
  if (digitsAlone.test(text)) return readPlainNumber(text)
  const groups = amountForm.exec(text)?.groups
  const before = groups === undefined ? null : readBefore(groups.before!)
  const hasMinusAfter = groups !== undefined && minusAfter.test(`${groups.digits!}${groups.after!}`)
  const after = groups === undefined ? null : readAfter(hasMinusAfter ? '' : groups.after!)
  const isGrouped =
    after !== null &&
    threeAfterPoint.test(groups!.digits!) &&
    (noCents.test(groups!.after!) || isAmountBeforeSign(after) || isGroupedBySign(groups!.digits!, before))
  const number = groups === undefined ? null : readDigits(groups.digits!, isGrouped)
  if (number === null || before === null || after === null) return readMixedNumeral(text)
  if (before.isOpen !== after.isClosed) return null
  const currency = joinCurrencies(before.currency, after.currency)
  if (currency === null && before.currency !== null) return null
  const hasCompany = currency !== null || after.unit !== null || after.shareOf !== null || after.scale !== 1
  if (wholeCommaFraction.test(groups!.digits!) && !hasCompany && !isOneNumber) return null
  const { shareOf, isScaleLetter, unit, unitText } = after
  const scale = after.scale * before.scale
  const hasScale = scale !== 1 || largeNumeral.test(groups!.digits!)
  const { value, decimals, integer } = number
  const isNegative = before.isOpen || before.isNegative || hasMinusAfter
  return {
    number: isNegative ? -value : value,
    decimals,
    integer: integer === null || hasScale ? null : `${isNegative && value !== 0 ? '-' : ''}${integer}`,
    hasScale,
    shareOf,
    scale,
    isScaleLetter,
    currency,
    unit,
    unitText,
    grouped:
      before.currency !== null &&
      mayGroupWithPoints(before.currency) &&
      scale === 1 &&
      unit === null &&
      threeAfterPoint.test(groups!.digits!)
        ? 1000 * (isNegative ? -value : value)
        : null,
  }
}

const withoutLeadingZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '')

/** Most numbers stand alone. They are read without the expression for everything else. */
const digitsAlone = /^-?\d+(?:\.\d+)?$/

function readPlainNumber(text: string): WrittenAmount {
  const number = Number(text)
  const isNegative = text.startsWith('-')
  const [whole = '', fraction] = (isNegative ? text.slice(1) : text).split('.')
  const digits = withoutLeadingZeros(whole)
  const integer = fraction !== undefined ? null : isNegative && number !== 0 ? `-${digits}` : digits
  return { number, decimals: fraction?.length ?? 0, integer, hasScale: false, ...nothingBeside }
}

const largeNumeral = /[万萬亿億兆조억만]/
const koreanSign = '조억만천백십'
const mixedNumeral = new RegExp(
  `^(?<before>[^\\d\\s${chineseSign}]{0,4}?)(?<numeral>(?=.*[${chineseSign}${koreanSign}])(?:\\d{1,3}(?:,\\d{3})+(?!\\d)|\\d+(?:\\.\\d+)?(?![\\d.])|[${chineseSign}]|[${koreanSign}](?:\\s(?=[\\d${koreanSign}]))?)+)\\s?(?<after>[^\\d\\s${chineseSign}${koreanSign}]{0,4})$`,
  'u',
)

/** Reads East Asian numerals with Arabic digits, perhaps beside a currency: 3万5千元, 1億2000万円, 1억 2천만 원. */
function readMixedNumeral(text: string): WrittenAmount | null {
  const groups = mixedNumeral.exec(text)?.groups
  if (groups === undefined) return null
  const { before = '', numeral = '', after = '' } = groups
  const number = readChineseNumeral(numeral.replace(/[\s,]/g, ''))
  const isCounted = after === '' || after === '股'
  const currency = joinCurrencies(
    before === '' ? null : readCurrency(before, true),
    isCounted ? null : readCurrency(after.replace(/元整$/, '元')),
  )
  if (number === null || (currency === null && !(before === '' && isCounted))) return null
  const hasScale = largeNumeral.test(numeral)
  return { number, decimals: 0, integer: null, hasScale, ...nothingBeside, currency }
}

/** Where the sign follows the amount, as in 1.250 €, points group the digits. Prices have two decimals, not three. */
const isAmountBeforeSign = ({ currency, scale }: AfterNumber): boolean =>
  currency !== null && scale === 1 && !hasThreeDecimals(currency)

/** No price is written with three zeros after its point: €5.000 is five thousand. */
const isGroupedBySign = (digits: string, before: BeforeNumber | null): boolean =>
  before?.currency != null && mayGroupWithPoints(before.currency) && digits.endsWith('.000')

/** Digits whose point may group them. */
const threeAfterPoint = /^[1-9]\d{0,2}\.\d{3}$/

interface ReadDigits {
  readonly value: number
  readonly decimals: number
  readonly integer: string | null
}

function readDigits(digits: string, isGrouped: boolean): ReadDigits | null {
  if (!/\d/.test(digits)) {
    const value = readChineseNumeral(digits)
    return value === null ? null : { value, decimals: 0, integer: null }
  }
  const plain = withDecimalPoint(digits, isGrouped || hasCommaFraction.test(digits) ? ',' : '.')
  const integer = /^\d+$/.test(plain) ? withoutLeadingZeros(plain) : null
  return { value: Number(plain), decimals: plain.split('.')[1]?.length ?? 0, integer }
}

interface BeforeNumber {
  readonly isOpen: boolean
  readonly isNegative: boolean
  readonly currency: WrittenCurrency | null
  /** The factor of a scale letter before the currency, as in TEUR; 1 without one. */
  readonly scale: number
}

/** Reads parentheses, signs and a currency before a number. */
function readBefore(text: string): BeforeNumber | null {
  let rest = text
  const take = (form: RegExp): boolean => {
    const match = form.exec(rest)
    if (match !== null) rest = rest.slice(0, match.index) + rest.slice(match.index + match[0].length)
    return match !== null
  }
  const isOpen = take(/[(（]/)
  const isNegative = take(/[-−–]|^\s*(?:minus|negative)\s|负/i)
  if (!isNegative) take(/^\s*\+|\+\s*$/)
  const name = rest.trim()
  if (name === '') return { isOpen, isNegative, currency: null, scale: 1 }
  const scaled = readScaledCurrency(name)
  const currency = scaled?.currency ?? readCurrency(name, true)
  return currency === null ? null : { isOpen, isNegative, currency, scale: scaled?.factor ?? 1 }
}

interface AfterNumber
  extends Omit<WrittenAmount, 'number' | 'decimals' | 'integer' | 'hasScale' | 'grouped'> {
  readonly isClosed: boolean
}

/** A minus after an amount, as in exports of accounting software: `1,234.50-`. */
const minusAfter = /^\d[\d.,]*(?:\d{3}|[.,]\d+)[-−]$/
/** Words that say what a price is for: 0.35元/股. */
const perShare = /^(?:\/|per)\s*(?:股|shares?)$/iu
/** What stands for the cents of a round amount: 5.–, 5,- */
const noCents = /^[.,][-–—]{1,2}(?=\D|$)/u
/** 6.1-inch, 5-year-old. */
const hyphenBeforeUnit = /^-(?=\p{L}{3})/u
/** Between a scale and a currency: 2 millions d'euros, 3 milhões de dólares. */
const ofCurrency = /^(?:d['’]|(?:de|di|of)\s)/iu

/** Reads a scale, a currency, a percent sign or a unit after a number, in any order, each once. */
function readAfter(text: string): AfterNumber | null {
  const after: { -readonly [Name in keyof AfterNumber]: AfterNumber[Name] } = {
    isClosed: false,
    ...nothingBeside,
  }
  for (let rest = text.replace(noCents, '').trim().replace(hyphenBeforeUnit, ''); rest !== ''; ) {
    if (after.currency !== null && perShare.test(rest)) return after
    if (after.scale !== 1) rest = rest.replace(ofCurrency, '')
    let length = 1
    const share = after.shareOf === null ? readShareSign(rest) : null
    if (/^[)）]/.test(rest) && !after.isClosed) after.isClosed = true
    else if (share !== null) {
      after.shareOf = share.of
      length = share.length
    } else {
      const word = readWord(rest)
      if (word === null || !takeWord(after, word)) return null
      length = word.text.length
    }
    rest = rest.slice(length).trimStart()
  }
  return after
}

/** Adds a word to what is known after a number. Returns false when the number has such a word already. */
function takeWord(after: { -readonly [Name in keyof AfterNumber]: AfterNumber[Name] }, word: Word): boolean {
  if (word.kind === 'currency') {
    if (after.currency !== null) return false
    after.currency = word.currency
    after.scale *= word.factor
    return true
  }
  if (after.unitText !== '') return false
  if (word.kind !== 'unit') after.scale *= word.factor
  if (word.kind === 'scale') return true
  after.isScaleLetter = word.kind === 'letter'
  after.unit = word.unit
  after.unitText = word.text
  return true
}

/**
 * Reads a text that is one number. It may have thousands separators, a currency, a sign or parentheses for
 * minus, or a percent sign. It may also have a scale word in English or Chinese, or Chinese numerals. Returns
 * null for any other text, also for `-` and `—`, and for a number with a unit of measure.
 */
export function readNumber(text: string): ReadNumber | null {
  const plain = writePlainAmount(text)
  const amount = readAmount(plain)
  if (amount === null) {
    const value = readYuan(plain)
    return value === null ? null : { value, percent: false, scale: 1 }
  }
  const { number, scale, shareOf, unit, isScaleLetter } = amount
  if (
    shareOf === 1000 ||
    shareOf === 10_000 ||
    (unit !== null && !isScaleLetter && unit.dimension !== 'shares')
  )
    return null
  return { value: multiply(number, scale), percent: shareOf === 100, scale }
}

/** Reads an amount with 角 or 分: 十二元五角 is 12.5. */
export function readYuan(text: string): number | null {
  const groups =
    /^(?:人民币|人民幣)?(?<yuan>[^元]+)元(?:零)?(?:(?<jiao>[^角分])角)?(?:(?<fen>[^角分])分)?整?$/.exec(
      text,
    )?.groups
  if (groups === undefined) return null
  const [yuan, jiao, fen] = [groups.yuan, groups.jiao, groups.fen].map(digits =>
    digits === undefined ? 0 : (readNumber(digits)?.value ?? Number.NaN),
  )
  const cents = Math.round(100 * yuan!) + 10 * jiao! + fen!
  return Number.isNaN(cents) ? null : cents / 100
}

/** Multiplies by a scale without rounding errors: `0.7` million is 700000. */
export function multiply(number: number, scale: number): number {
  if (scale === 1) return number
  const power = Math.log10(scale)
  return Number.isInteger(power) && !/e/.test(String(number)) ? Number(`${number}e${power}`) : number * scale
}
