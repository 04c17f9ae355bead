/** A number that was read from a text. */
export interface ReadNumber {
  /** In full units: `1.2 billion` is 1,200,000,000; `12.3%` is 12.3; `(5)` is -5. */
  readonly value: number
  /** Whether the text has a percent sign. */
  readonly percent: boolean
  /** The factor of the scale word, such as 1e9 for `billion`; 1 without one. */
  readonly scale: number
}

/** Texts that NFKC does not change. */
const ascii = /^[\0-\x7f]*$/

/** Normalises a text to NFKC, but keeps raised digits and fractions apart from the digits before them: `10²` is not 102. */
export function composeUnicode(text: string): string {
  if (ascii.test(text)) return text
  return text
    .replace(/(?<=\d)(?=[⁰¹²³⁴-⁹⁺⁻])/gu, '^')
    .replace(/(?<=\d)(?=[¼-¾⅐-⅞])/gu, ' ')
    .normalize('NFKC')
    .replaceAll('⁄', '/')
}

const scaleWords: readonly (readonly [RegExp, number])[] = [
  [/^(?:trillions?|tn|万亿)$/i, 1e12],
  [/^(?:billions?|bn|b)$/i, 1e9],
  [/^(?:亿|億)$/, 1e8],
  [/^(?:millions?|mn|mm|m|百万|百萬)$/i, 1e6],
  [/^(?:万|萬)$/, 1e4],
  [/^(?:thousands?|k|千)$/i, 1e3],
]
const currency = '(?:US\\$|HK\\$|NT\\$|RMB|CNY|USD|EUR|GBP|JPY|[$€£¥￥]|人民币|人民幣)'
const written = new RegExp(
  String.raw`^(?:${currency}\s*(?=[(（]))?(?<open>[(（])?\s*(?<sign>[-−–+])?\s*${currency}?\s*(?<sign2>[-−–])?\s*` +
    String.raw`(?<digits>\d{1,3}(?:[,，'\u00a0\u202f ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)` +
    String.raw`\s*(?<close>[)）])?\s*(?<unit>[A-Za-z]+|万亿|百万|百萬|[亿億万萬千])?\s*` +
    String.raw`(?<percent>%|％)?\s*(?<close2>[)）])?\s*(?<tail>元\/股|元|股|人民币|CNY|RMB|USD|美元|港元|shares?|dollars)?\s*(?<close3>[)）])?$`,
  'i',
)
const currencyUnit = new RegExp(`^${currency}$`, 'i')

/**
 * Reads a text that is one number. It may have thousands separators, a currency, a sign or parentheses for
 * minus, or a percent sign. It may also have a scale word in English or Chinese, or Chinese numerals. Returns
 * null for any other text, also for `-` and `—`.
 */
export function readNumber(text: string): ReadNumber | null {
  const plain = composeUnicode(text).trim()
  const match = written.exec(plain)
  if (match?.groups === undefined) {
    const value = readYuan(plain) ?? readChineseNumeral(plain.replace(/(?:人民币|元整?|股)/g, ''))
    return value === null ? null : { value, percent: false, scale: 1 }
  }
  const { open, sign, sign2, digits, unit, percent, close, close2, close3 } = match.groups
  const scale = unit === undefined ? 1 : scaleOf(unit)
  if (scale === null || (open === undefined && (close ?? close2 ?? close3) !== undefined)) return null
  const negative = open !== undefined || /[-−–]/.test(sign ?? '') || sign2 !== undefined
  const size = multiply(digits!.replace(/[^\d.]/g, ''), scale)
  return { value: negative ? -size : size, percent: percent !== undefined, scale }
}

/** Reads an amount with 角 or 分: 十二元五角 is 12.5. */
function readYuan(text: string): number | null {
  const groups =
    /^(?:人民币|人民幣)?(?<yuan>[^元]+)元(?:零)?(?:(?<jiao>[^角分])角)?(?:(?<fen>[^角分])分)?$/.exec(
      text,
    )?.groups
  if (groups === undefined || (groups.jiao ?? groups.fen) === undefined) return null
  const [yuan, jiao, fen] = [groups.yuan, groups.jiao, groups.fen].map(digits =>
    digits === undefined ? 0 : (readNumber(digits)?.value ?? Number.NaN),
  )
  const cents = Math.round(100 * yuan!) + 10 * jiao! + fen!
  return Number.isNaN(cents) ? null : cents / 100
}

function scaleOf(unit: string): number | null {
  if (currencyUnit.test(unit) || /^(?:shares?|dollars)$/i.test(unit)) return 1
  for (const [word, scale] of scaleWords) if (word.test(unit)) return scale
  return null
}

/** Multiplies a decimal text by a power of ten without rounding errors: `0.7` million is 700000. */
function multiply(decimal: string, scale: number): number {
  return Number(`${decimal}e${Math.round(Math.log10(scale))}`)
}

const digitValues = new Map(
  [...'零〇一二三四五六七八九'].map((digit, index) => [digit, Math.max(0, index - 1)]),
)
for (const [index, digit] of [...'壹贰叁肆伍陆柒捌玖'].entries()) digitValues.set(digit, index + 1)
for (const [digit, value] of [
  ['两', 2],
  ['貳', 2],
  ['參', 3],
  ['陸', 6],
] as const)
  digitValues.set(digit, value)
const smallUnits = new Map([...'十百千', ...'拾佰仟'].map((unit, index) => [unit, 10 ** ((index % 3) + 1)]))
const largeUnits = new Map<string, number>([
  ['万', 1e4],
  ['萬', 1e4],
  ['亿', 1e8],
  ['億', 1e8],
])

/**
 * Reads Chinese numerals (`三万五千`, `二〇二四`, `拾贰`), perhaps with Arabic digits (`3万5千`). Returns null for any other text,
 * also for a scale word without a digit (`万`, `百万`). Only 十 is a number by itself.
 */
export function readChineseNumeral(text: string): number | null {
  if (!/[\d零〇一二三四五六七八九壹贰叁肆伍陆柒捌玖两貳參陸]|^[十拾]/.test(text)) return null
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

/**
 * Reads the factor in the unit line of a table: 1e6 for `(in millions, except per share amounts)`, 1e4 for `单位：万元`, 1 for
 * `单位：元`. Returns null when the text states no unit.
 */
export function readUnitLine(text: string): number | null {
  const chinese =
    /(?:单位|單位|金额单位)\s*[:：]?\s*(?:人民币|人民幣)?\s*(亿|億|百万|百萬|万|萬|千|仟)?\s*元/.exec(text)
  if (chinese !== null) {
    const word = chinese[1]
    return word === undefined ? 1 : word === '仟' ? 1e3 : (scaleOf(word) ?? 1)
  }
  const english =
    /(?:\bin\s+|\(|\$\s*|\bunits?\s*[:：]\s*|amounts? (?:stated |expressed )?in\s+)(?:(?:us|u\.s\.|rmb|cny|usd)?\s*(?:dollars|yuan|\$)?\s*)(thousand|million|billion)s?\b/i.exec(
      text,
    )
  if (english !== null) return scaleOf(english[1]!)
  return /\bunits?\s*[:：]\s*(?:rmb|cny|usd|yuan|dollars)/i.test(text) ? 1 : null
}
