import { dayOrMonthRules, readDate } from './dates.ts'
import { englishMonthForm, readEnglishMonth } from './month-names.ts'
import { ordinalWords, withEnglishDigits } from './number-words.ts'
import { composeUnicode, readChineseNumeral } from './numbers.ts'
import { foldCase } from './plain-text.ts'

/** What a key is told apart by besides its words: two keys with different figures name different things. */
export interface KeyFigures {
  /** All numbers, sorted: also those of dates, codes, ordinals and Roman numerals. */
  readonly numbers: readonly string[]
  /** Numbers that belong together in this order, such as a score, a season or a date; sorted. */
  readonly groups: readonly string[]
  /** Months by number, sorted. */
  readonly months: readonly string[]
  /** Codes of letters and digits, such as US0378331005 or BP-999; sorted. */
  readonly codes: readonly string[]
  /** Capital letters on their own, such as that of Class A; sorted. */
  readonly letters: readonly string[]
  /** Signs that are part of a value: those of `AA-`, `C#`, `10%`; sorted. */
  readonly signs: readonly string[]
  /** Signs of currencies, sorted. */
  readonly currencies: readonly string[]
  /** The key is a sentence, such as a citation, and not a name. */
  readonly isSentence: boolean
}

/** Longer keys are sentences. */
const longestName = 100

/**
 * Reads the figures of a key. Thousands separators, leading zeros, the form of a date, and words for numbers make no
 * difference.
 */
export function readKeyFigures(key: string): KeyFigures {
  const figures = { numbers: [] as string[], groups: [] as string[], months: [] as string[] }
  const codes: string[] = []
  const letters: string[] = []
  const text = withNumerals(composeUnicode(key))
  const rest = text
    .replace(fullDate, written => takeDate(written, figures))
    .replace(monthName, written => {
      figures.months.push(String(readEnglishMonth(written)))
      return ' '.repeat(written.length)
    })
  for (const [written] of rest.matchAll(codeForm)) {
    const code = written.replace(/[-./_ ]/g, '')
    if (isCode(written)) codes.push(foldCase(code))
  }
  for (const [, letter] of rest.matchAll(loneLetter)) letters.push(letter!)
  for (const match of rest.matchAll(numberForm)) {
    const parts = [...match[0].matchAll(onePart)].map(([part]) => writePlainNumber(part))
    const isNegative =
      /(?:^|[\s(])[-−–]$/.test(rest.slice(0, match.index)) && !/\d\s*[-−–]$/.test(rest.slice(0, match.index))
    if (isNegative) parts[0] = `-${parts[0]}`
    figures.numbers.push(...parts)
    if (parts.length > 1) figures.groups.push(parts.join(' '))
  }
  return {
    numbers: figures.numbers.sort(),
    groups: figures.groups.sort(),
    months: figures.months.sort(),
    codes: codes.sort(),
    letters: letters.sort(),
    signs: [...text.matchAll(signForm)].map(([sign]) => writePlainSign(sign)).sort(),
    currencies: (text.match(/\p{Sc}/gu) ?? []).sort(),
    isSentence: key.length > longestName,
  }
}

/**
 * Whether two keys differ in a figure, so that they name different things however similar their letters are. Numbers
 * must be the same, except that a sentence may add some, such as the pages of a citation. Signs of values must be the same too. What only one of the keys has
 * in such a form (a month, a code, a lone letter) decides nothing.
 */
export function areFiguresDifferent(left: KeyFigures, right: KeyFigures): boolean {
  const mayAdd = left.isSentence && right.isSentence
  if (!areSame(left.numbers, right.numbers) && !(mayAdd && containsNumbers(left.numbers, right.numbers)))
    return true
  if (!areSame(left.signs, right.signs)) return true
  return (['groups', 'months', 'codes', 'letters', 'currencies'] as const).some(
    kind => left[kind].length === right[kind].length && !areSame(left[kind], right[kind]),
  )
}

/** Whether the longer list contains all of the other, which has some. */
function containsNumbers(left: readonly string[], right: readonly string[]): boolean {
  const [shorter, longer] = left.length < right.length ? [left, [...right]] : [right, [...left]]
  return (
    shorter.length > 0 &&
    shorter.every(number => {
      const at = longer.indexOf(number)
      if (at >= 0) longer.splice(at, 1)
      return at >= 0
    })
  )
}

const areSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((item, at) => item === right[at])

/** A month beside a number, or a name that means nothing else. */
const monthName = new RegExp(
  `(?<=\\d(?:st|nd|rd|th)?[\\s,./-]{1,2}(?:of\\s)?)(${englishMonthForm})(?!\\p{L})|(?<!\\p{L})(${englishMonthForm})(?=\\.?[\\s,/-]{1,2}'?\\d)|(?<!\\p{L})(January|February|April|June|July|September|October|November|December)(?!\\p{L})`,
  'giu',
)
const fullDate =
  /(?<![\d.])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{4}年\d{1,2}月(?:\d{1,2}日)?)(?![\d.])/g

/** Signs directly after the letters of a short word, and after a number those of a share, also in words. */
const signForm =
  /(?<=(?<![\p{L}\p{N}])(?=\p{N}*\p{L})[\p{L}\p{N}]{1,5})(?:[-−–](?![\p{L}\p{N}])|\++|#)|(?<=(?<![\p{L}\p{N}*])\p{L})[*/](?=\p{L}(?![\p{L}\p{N}]))|(?<=(?<![\p{L}\p{N}*])\p{L})\*(?![\p{L}\p{N}])|(?<=\d\s?)(?:[%‰]|per\s?cent|percent|pct)/giu

const writePlainSign = (sign: string): string => (/^p/i.test(sign) ? '%' : sign.replace(/[−–]/, '-'))

type FoundFigure = Record<'numbers' | 'groups' | 'months', string[]>

/** Takes a date of figures alone, so that its day and month have places. `03/04/2024` may be two dates. */
function takeDate(written: string, figures: FoundFigure): string {
  const date = readDate(written, dayOrMonthRules)
  if (date === null || date.month === null) return written
  figures.months.push(String(date.month))
  figures.numbers.push(...[date.year, date.day].filter(part => part !== null).map(String))
  return ' '.repeat(written.length)
}

/** Joined numbers: 1-0, 2019/20, 16:9, 1.2.3. Spaces around the sign make no difference. */
const singleNumber = String.raw`\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)*`
const onePart = new RegExp(singleNumber, 'g')
const numberForm = new RegExp(`(?:${singleNumber})(?:\\s?[-–−:/×x]\\s?(?:${singleNumber}))*`, 'g')

/** A number without separators, leading zeros and a fraction of zeros. Other digits stay, because 3.10 may be a version. */
function writePlainNumber(text: string): string {
  const digits = text.replace(/[,'’]/g, '').replace(/^(\d+)\.0+$/, '$1')
  return digits.replace(/^0+(?=\d)/, '')
}

/** Letters and digits in one word, or short capitals before a number: BP-999, A4, US0378331005, 4o. */
const codeForm =
  /(?<![\p{L}\p{N}])(?:(?:\p{Lu}{1,3}-|\p{Lu}{1,2} )\d[\p{L}\d]*|(?=\p{L}*\d)(?=\d*\p{L})[\p{L}\d]+(?:-[\p{Lu}\d]+)*)(?![\p{L}\p{N}])/gu

/** Whether a word is a code. `200m` and `15th` are a number with a unit or an ending. */
const isCode = (text: string): boolean =>
  !/^\d+(?:st|nd|rd|th|s|m|km|cm|mm|kg|g|x|er|e|ème|º|ª)$/iu.test(text) && !/^(?:FY|H|Q)[- ]?\d/.test(text)

/** A capital letter alone, also no initial of a name: Class A, Gate B. */
const loneLetter = /(?<![\p{L}\p{N}.'’&-])(\p{Lu})(?![\p{L}\p{N}.'’&-])/gu

const ordinalForm = new RegExp(`(?<!\\p{L}|\\d ?|\\bper |/ ?)(?:${ordinalWords.join('|')})(?!\\p{L})`, 'giu')
/** Roman numerals of at least two letters, or one after a word that counts parts. */
const romanForm =
  /(?<![\p{L}\p{N}])(?:(?=[IVXL]{2,})X{0,3}(?:IX|IV|V?I{0,3})|(?<=(?:part|volume|vol\.|chapter|book|phase|type|stage|world war|class|act|title|section|grade|mark|mk)\s)[IVX])(?![\p{L}\p{N}'’])/giu
const chineseForm =
  /(?<=第)[零〇一二三四五六七八九十百千]+|[零〇一二三四五六七八九十百千]+(?=年|月|日|号|季|届|期|章|条|次|版|卷|册|班|级|路|区|中|院|所|局|队|厂)/g

/** Writes numbers in words, ordinals, Roman and Chinese numerals in digits. */
export function withNumerals(text: string): string {
  return withEnglishDigits(
    text.replace(ordinalForm, word => String(ordinalWords.indexOf(word.toLowerCase()) + 1)),
  )
    .replace(romanForm, numeral =>
      numeral === numeral.toUpperCase() && numeral !== '' ? String(readRomanNumeral(numeral)) : numeral,
    )
    .replace(chineseForm, numeral => String(readChineseNumeral(numeral) ?? numeral))
    .replace(/上半(?=年)/g, 'H1')
    .replace(/下半(?=年)/g, 'H2')
}

/** Writes numbers as `withNumerals` does, and ordinals in digits without their ending: First and 1st become 1. */
export const withPlainNumerals = (text: string): string =>
  withNumerals(text).replace(/(?<=\d)(?:st|nd|rd|th)(?![\p{L}\p{N}])/giu, '')

const romanDigits: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50 }

function readRomanNumeral(numeral: string): number {
  const values = [...numeral].map(letter => romanDigits[letter]!)
  return values.reduce((sum, value, at) => (value < (values[at + 1] ?? 0) ? sum - value : sum + value), 0)
}
