import { mapWords } from './plain-text.ts'

/** Texts that NFKC does not change. */
const ascii = /^[\0-\x7f]*$/

/** Normalises a text to NFKC without signs that cannot be seen, but keeps raised digits and fractions apart from the digits before them: `10²` is not 102. */
export function composeUnicode(text: string): string {
  if (ascii.test(text)) return text
  return text
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replace(/[º˚](?=\s?[CF](?!\p{L}))/gu, '°')
    .replace(/(?<=\d)(?=[⁰¹²³⁴-⁹⁺⁻])/gu, '^')
    .replace(/(?<=\d)(?=[¼-¾⅐-⅞])/gu, ' ')
    .normalize('NFKC')
    .replaceAll('⁄', '/')
    .replace(/(?<=\p{Nd})٫(?=\p{Nd})/gu, '.')
    .replace(/(?<=\p{Nd})٬(?=\p{Nd})/gu, ',')
    .replace(otherDigit, writeAsciiDigit)
}

/** A digit or numeral. Every number, date, amount and duration has one. */
export const anyFigure = /[\p{N}零〇一二三四五六七八九十百千万萬亿億两兩壹贰貳叁參肆伍陆陸柒捌玖拾半]/u

const otherDigit = /(?![0-9])\p{Nd}/gu

/** Writes the decimal digits of other scripts as 0-9. */
export const withAsciiDigits = (text: string): string =>
  ascii.test(text) ? text : text.replace(otherDigit, writeAsciiDigit)

/** In Unicode the digits of a script are a run from 0 to 9. Some runs directly follow one another. */
function writeAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let start = code
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start -= 1
  return String((code - start) % 10)
}

/** A whole number with a fraction, also as `2+1/4`. Longer numbers before a fraction, such as years, are dates. */
const mixedNumber =
  /(?<![\d.,/+]|[\d/] ?[-−])(\d{1,3})(?:[ \u00a0\u2000-\u200a\u202f]|\s?\+\s?)(\d{1,2})[/\u2044\u2215](\d{1,3})(?![\d/.,]*\d)/gu

/** A mixed number in a text, such as `2 1/4`. */
interface MixedNumber {
  readonly value: number
  readonly at: number
  readonly length: number
}

/** Lists the mixed numbers of a text: `2 1/4`, and `2¼` too. */
export function listMixedNumbers(text: string): MixedNumber[] {
  const proper = [...text.matchAll(mixedNumber)].flatMap(
    ({ index, 0: written, 1: whole, 2: over, 3: under }) =>
      Number(over) > 0 && Number(over) < Number(under)
        ? [{ value: Number(whole) + Number(over) / Number(under), at: index, length: written.length }]
        : [],
  )
  const signs = [...text.matchAll(fractionSign)].map(({ index, 0: written, 1: whole = '', 2: sign = '' }) => {
    const [over = 0, under = 1] = sign.normalize('NFKC').split('⁄').map(Number)
    return { value: Number(whole) + over / under, at: index, length: written.length }
  })
  return [...proper, ...signs].sort((a, b) => a.at - b.at)
}

const fractionSign = /(?<!\d)(\d*)\s?([¼-¾⅐-⅞])/gu

/** Writes mixed numbers and fractions of one sign as decimals: `2½` and `2 1/2` become 2.5. */
function withDecimalFractions(text: string): string {
  let written = ''
  let end = 0
  for (const { value, at, length } of listMixedNumbers(text)) {
    written += text.slice(end, at) + String(value)
    end = at + length
  }
  return written + text.slice(end)
}

const power =
  /(?<![\p{L}\d.])(?:(\d+(?:\.\d+)?)(?:[eE]([-+]?\d{1,3})(?![\p{L}\d])|\s*[×x*·]\s*10\s?(?:\^|\*\*)\s?\(?([-−+]?\d{1,3})\)?)|10\^([-−+]?\d{1,3}))(?!\d)/gu

/** Writes numbers with a power of ten in plain digits: `1.2e6` and `1.2 × 10^6` become 1200000. */
function withoutPowers(text: string): string {
  return text.replace(power, (written, digits = '1', exponent?: string, raised?: string, alone?: string) => {
    const value = Number(`${digits}e${(exponent ?? raised ?? alone)?.replace('−', '-')}`)
    const fits = Number.isFinite(value) && (value !== 0 || Number(digits) === 0)
    return fits ? value.toLocaleString('en', { useGrouping: false, maximumSignificantDigits: 21 }) : written
  })
}

/** The signs for 0 to 9, with those of contracts and in traditional writing. */
const digitValues = mapWords([
  ['零|〇', 0],
  ['一|壹', 1],
  ['二|贰|貳|两', 2],
  ['三|叁|參', 3],
  ['四|肆', 4],
  ['五|伍', 5],
  ['六|陆|陸', 6],
  ['七|柒', 7],
  ['八|捌', 8],
  ['九|玖', 9],
])
const smallUnits = mapWords([
  ['十|拾|십', 10],
  ['百|佰|백', 100],
  ['千|仟|천', 1000],
])
const largeUnits = mapWords([
  ['万|萬|만', 1e4],
  ['亿|億|억', 1e8],
  ['兆|조', 1e12],
])

/**
 * Reads Chinese numerals (`三万五千`, `二〇二四`, `拾贰`), perhaps with Arabic digits (`3万5千`), and Korean units (`2천만`). Returns null
 * for any other text, also for a scale word without a digit (`万`, `百万`). Only 十 is a number by itself.
 */
export function readChineseNumeral(text: string): number | null {
  if (!/[\d零〇一二三四五六七八九壹贰叁肆伍陆柒捌玖两貳參陸]|^[十拾십]/.test(text)) return null
  if (/^[零〇一二三四五六七八九]{2,}$/.test(text)) {
    return Number([...text].map(digit => digitValues.get(digit)).join(''))
  }
  let total = 0
  let section = 0
  let lastLarge = 0
  let digit: number | null = null
  for (const token of text.match(/\d+(?:\.\d+)?|\D/gu) ?? []) {
    const value = digitValues.get(token) ?? (/^\d/.test(token) ? Number(token) : undefined)
    const small = smallUnits.get(token)
    const large = largeUnits.get(token)
    if (value !== undefined) {
      // Two digits in a row are not an amount. 零 only marks an omitted place.
      if (digit !== null && digit !== 0) return null
      digit = value
    } else if (small !== undefined) {
      section += (digit ?? 1) * small
      digit = null
    } else if (large !== undefined) {
      const amount = section + (digit ?? 0)
      // 万亿 multiplies the amount before it, but 二千万 after 一亿 is added.
      total = large > lastLarge ? (total + amount) * large : total + amount * large
      lastLarge = large
      section = 0
      digit = null
    } else return null
  }
  return total + section + (digit ?? 0)
}

/** A Chinese numeral before a word that counts or measures. In 第十一条 and 十分 it is not an amount. */
const countedNumeral =
  /(?<![第零〇一二三四五六七八九十百千万亿两\d])[零〇一二三四五六七八九十百千万萬亿億壹贰叁肆伍陆柒捌玖拾佰仟两]{1,16}(?=年|个月|月|日|天|元|美元|港元|岁|人|名|次|起|股|家|倍|克|千克|公斤|吨|米|亩)/g
const startsWithDigit = /^[零〇一二三四五六七八九十两壹贰叁肆伍陆柒捌玖拾]/

/** Writes amounts in Arabic digits: 有期徒刑十一年 becomes 有期徒刑11年, 三万五千元 becomes 35000元. */
export function withArabicAmounts(text: string): string {
  return text.replace(countedNumeral, numeral =>
    startsWithDigit.test(numeral) ? String(readChineseNumeral(numeral) ?? numeral) : numeral,
  )
}

/** Returns a text with digits, fractions and powers of ten in the form that `readAmount` reads. */
export const writePlainAmount = (text: string): string =>
  withoutPowers(composeUnicode(withDecimalFractions(text)).trim())
