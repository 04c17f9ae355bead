import { namesClock, readTimeOfDay } from '../../text/compound-amounts.ts'
import { areSameCoordinates } from '../../text/coordinates.ts'
import { readDatePeriod } from '../../text/date-ranges.ts'
import { readPeriod } from '../../text/dates.ts'
import { withPlainNumerals } from '../../text/key-figures.ts'
import { withDigits } from '../../text/number-words.ts'
import { anyFigure } from '../../text/numbers.ts'
import { areSameTerms, penaltyOfColumn, readPenalTerms } from '../../text/penal-terms.ts'
import { type Quantity, readQuantity } from '../../text/quantities.ts'
import { compareNumbers } from './compare-numbers.ts'
import { normaliseText, sameNumber } from './normalise.ts'

/** A range as two texts, each with the signs and units that the range states once. */
interface ValueRange {
  readonly from: string
  readonly to: string
}

const longest = 80
const end = String.raw`[-−]?(?:\p{Lu}{0,3}\p{Sc}\s?|\p{Lu}{3}\s?)?\d[\d.,:'’]*(?:\s?[^\d\s\-−–—~^×±][^\d\-−–—~^×±]{0,24}?)?`
const opening = '(?:from|between|von|zwischen|de|des|entre|desde|da|od|от|从|介于)'
const joining = String.raw`(?:\s?[-−–—~〜]\s?|\s(?:to|and|until|bis|und|à|a|et|y|al|till|do|до)\s|\s?[至到]\s?)`
const rangeForm = new RegExp(`^(?:${opening}\\s?)?(?<from>${end})${joining}(?<to>${end})$`, 'iu')
const onlyAnd = /\s(?:and|und|et|y)\s/iu
const season = /^(?<from>\d{4})\s?(?<sign>[/\-–—])\s?(?<to>\d{2}|\d{4})$/u

/**
 * Reads a text that is one range: `5-10 kg`, `$5 to $10 million`, `between 5 and 10`, and seasons such as `2023/24`. Null for
 * any other text, also for `2011-12` under the name of a date.
 */
export function readRange(text: string, column: string): ValueRange | null {
  if (text.length > longest) return null
  const years = season.exec(text)?.groups
  if (years !== undefined) return readYears(years, column)
  const groups = rangeForm.exec(text)?.groups
  if (groups === undefined || (onlyAnd.test(text) && !new RegExp(`^${opening}`, 'iu').test(text))) return null
  const [from, to] = [groups.from!.trim(), groups.to!.trim()]
  const [before = ''] = /^[^\d\-−]*/u.exec(from)!
  const [after = ''] = /[^\d.,'’]*$/u.exec(to)!
  return {
    from: /\d$/.test(from) ? `${from}${after}` : from,
    to: /^\d/.test(to) ? `${before}${to}` : to,
  }
}

function readYears(years: Readonly<Record<string, string>>, column: string): ValueRange | null {
  const [first, last] = [Number(years.from), Number(years.to)]
  const to = last < 100 ? first - (first % 100) + last + (last === 0 ? 100 : 0) : last
  const mayBeMonth = last <= 12 && years.sign === '-' && /date|month|datum|日期|月/i.test(column)
  const isRange = years.sign === '/' ? to === first + 1 : to > first
  return isRange && !mayBeMonth ? { from: String(first), to: String(to) } : null
}

/** Longer texts are sentences, not values. */
const longestValue = 200

/**
 * Finds the rule by which two different texts have the same meaning: `date`, `amount`, `duration`, `time`, `range`, `bound`,
 * `coordinate`, or `written-number` for texts that differ only in how they write numbers.
 *
 * @returns null when there is none, which does not mean that the texts differ in meaning
 */
export function ruleOfSameMeaning(gold: string, predicted: string, column: string): string | null {
  if (gold.length > longestValue || predicted.length > longestValue) return null
  const left = withDigits(gold)
  const right = withDigits(predicted)
  const isRead = anyFigure.test(left) && anyFigure.test(right)
  if (isSameDate(gold, predicted) || isSameDayOfYear(gold, predicted, column)) return 'date'
  if (isSameTime(left, right, column)) return 'time'
  if (!isRead) return anyDigit.test(left) || anyDigit.test(right) ? writtenNumber(left, right) : null
  if (isSameAmount(left, right, column)) return 'amount'
  if (plainFigure.test(gold) && plainFigure.test(predicted)) return null
  if (statesSameTerms(left.toLowerCase(), right.toLowerCase(), column)) return 'duration'
  if (isSameRange(left, right, column)) return 'range'
  if (isSameBound(left, right, column)) return 'bound'
  if (areSameCoordinates(left, right, column)) return 'coordinate'
  return writtenNumber(left, right)
}

const anyDigit = /\d/
const plainFigure = /^-?[\d.,]+ ?%?$/
const numberSign = /^(?:#|no\.|nr\.|n[°º]|№)\s?(?=\d)|(?<=^\d{1,3})\.$/iu
/** Words for signs: $5 per month, 4 out of 5, at least 12. */
const signWords: readonly (readonly [RegExp, string])[] = [
  [
    /(?<=\d[^\d]{0,20}) (?:per|pro) (?=\p{L}|\d)|(?<=\d[^\d]{0,20}) (?:a|an|par|por) (?=\p{L})| out of (?=\d)/giu,
    '/',
  ],
  [
    /^(?:at least|no less than|not less than|minimum(?: of)?|min\.?|mindestens|au moins|al menos) (?=[^a-z]*\d)/i,
    '≥',
  ],
  [
    /^(?:at most|no more than|not more than|up to|maximum(?: of)?|max\.?|höchstens|bis zu|au plus|hasta) (?=[^a-z]*\d)/i,
    '≤',
  ],
  [/^(?:more than|greater than|over|above|mehr als|über|plus de|más de) (?=[^a-z]*\d)/i, '>'],
  [/^(?:less than|fewer than|under|below|weniger als|unter|moins de|menos de) (?=[^a-z]*\d)/i, '<'],
  [/^(\d[\d.,]*) ?(?:\+|or more|and over|and above|or older)$/i, '≥$1'],
  [/^>=|^[≧⩾]/, '≥'],
  [/(?<=\d )b\.?c\.?(?:e\.?)?$/i, 'BC'],
  [/^(\p{Lu}{3,5})\s?(\d[\d.,]*)$/u, '$2 $1'],
  [/^a\.?d\.? (\d+)$|^(\d+) (?:a\.?d\.?|c\.?e\.?)$/i, '$1$2 AD'],
  [/^<=|^[≦⩽]/, '≤'],
  [/(?<![\p{L}\p{N}.])\.(?=\d)/gu, '0.'],
]

/** Texts that differ only in how they write numbers: in words, as ordinals or as Roman numerals, or signs in words. */
function writtenNumber(left: string, right: string): string | null {
  const [a, b] = [left, right].map(text =>
    withSigns(
      withPlainNumerals(text)
        .replace(numberSign, '')
        .replace(/^zero$/i, '0'),
    ),
  ) as [string, string]
  const isSame = normaliseText(a) === normaliseText(b) || sameNumber(a, b)
  return isSame && normaliseText(a) !== '' ? 'written-number' : null
}

const withSigns = (text: string): string =>
  signWords.reduce((plain, [words, sign]) => plain.replace(words, sign), text)

/** Whether two texts are the same bound of equal amounts: `> 1 million` and `more than 1,000,000`. */
function isSameBound(left: string, right: string, column: string): boolean {
  const [a, b] = [left, right].map(text => /^([<>≤≥])\s*(.+)$/s.exec(withSigns(text.trim())))
  return a?.[1] !== undefined && a[1] === b?.[1] && isSameAmount(a[2]!, b[2]!, column)
}

const statesTime = /\d\s?(?:[ap]\.?m|uhr|o'clock)|(?:noon|midnight)$/i
/** A date with a time, in either order: `2024-03-31T14:30:00Z`, `14:30, 31 March 2024`. */
const moments = [
  /^(?<date>.*\d.*?)(?:T(?=\d)|,?\s(?:at\s|um\s|à\s)?\s?)(?<time>\d{1,2}[:.h]\d\d\S*(?:\s\S+){0,2}|noon|midnight)$/i,
  /^(?<time>\d{1,2}[:.h]\d\d\S*?(?:\s(?:[ap]\.?m\.?|uhr|utc|gmt))*|noon|midnight),?\s(?:on\s|am\s)?(?<date>\D*\d.*)$/i,
]
const zone = /\s?(?:(?<utc>z|utc|gmt|[+-]00:?00)|(?<offset>[+-]\d\d:?\d\d))$/i

/** Reads a time of day, perhaps after or before a date and with the zone UTC, as a text by which equal ones are recognised. */
function readMoment(text: string): { readonly date: string | null; readonly time: string } | null {
  const split = moments.map(form => form.exec(text)?.groups).find(groups => groups !== undefined)
  const date = split === undefined ? null : readPeriod(split.date!)
  const written = date === null ? text : split!.time!
  const { utc, offset } = zone.exec(written)?.groups ?? {}
  const seconds = readTimeOfDay(written.replace(zone, ''))
  return seconds === null || offset !== undefined
    ? null
    : { date, time: `${seconds}${utc === undefined ? '' : ' UTC'}` }
}

/** Whether two texts are the same time of day, of which one says so, or the same time of the same day: 14:30 and 2:30 pm. */
function isSameTime(gold: string, predicted: string, column: string): boolean {
  const [left, right] = [readMoment(gold), readMoment(predicted)]
  if (left === null || left.time !== right?.time || left.date !== right.date) return false
  return (
    left.date !== null || [gold, predicted].some(text => statesTime.test(text)) || namesClock.test(column)
  )
}

/** Whether two texts are ranges with the same ends. */
function isSameRange(gold: string, predicted: string, column: string): boolean {
  const period = readDatePeriod(gold)
  if (period !== null && period === readDatePeriod(predicted)) return true
  const left = readRange(gold, column)
  const right = left === null ? null : readRange(predicted, column)
  if (left === null || right === null) return false
  const isSame = (a: string, b: string): boolean =>
    normaliseText(a) === normaliseText(b) ||
    sameNumber(a, b) ||
    isSameDate(a, b) ||
    isSameAmount(a, b, column) ||
    isSameDecimal(a, b) ||
    isSameTime(a, b, column)
  return isSame(left.from, right.from) && isSame(left.to, right.to)
}

/** Two plain numbers are compared as numbers, although 20240331 may be a date. */
function isSameDate(gold: string, predicted: string): boolean {
  if (/^\d+$/.test(gold) && /^\d+$/.test(predicted)) return false
  const [date, predictedDate] = [gold, predicted].map(
    text => readPeriod(text) ?? readPeriod(withFullYear(text)),
  )
  return date !== null && date === predictedDate
}

/** Writes the last two digits of a year in full in a date of figures: 31.03.24. With points, the day is always first. */
const withFullYear = (text: string): string =>
  text.replace(
    /^(\d{1,2}([./-])\d{1,2}\2)(\d{2})$/,
    (_, start: string, __, year: string) => `${start}${Number(year) < 50 ? 20 : 19}${year}`,
  )

const namesDate = /\b(?:date|month|period|monat|mois|mes|mese|when)s?\b|月|日期/i

/** Whether two texts are the same day or month of any year: 31 March and March 31. A month alone counts under a name of dates. */
function isSameDayOfYear(gold: string, predicted: string, column: string): boolean {
  if (gold.length > longest || (!/\p{L}/u.test(gold) && !/\p{L}/u.test(predicted))) return false
  if (!anyDigit.test(gold) && !namesDate.test(column)) return false
  // A leap year, so that 29 February is a day.
  const [day, predictedDay] = [gold, predicted].map(text => {
    if (/\d{4}/.test(text) || readPeriod(text) !== null) return null
    return readPeriod(
      text.replace(/(\d[./])(\d{1,2})[./]?$/, '$1$2') +
        (/\d[./]\d{1,2}[./]?$/.test(text) ? `${/\d(\D)/.exec(text)![1]}2000` : ' 2000'),
    )
  })
  return day != null && /^2000-\d\d/.test(day) && day === predictedDay
}

/** Whether two numbers with a comma or a point before the decimals are the same: 5,5 and 5.5. */
function isSameDecimal(left: string, right: string): boolean {
  const [a, b] = [readQuantity(left, true), readQuantity(right, true)]
  return (
    a !== null &&
    b !== null &&
    !statesMore(a) &&
    !statesMore(b) &&
    a.meanings[0]!.value === b.meanings[0]!.value
  )
}

/** The name of a fine before its amount. */
const fine = /^(?:并处|处|判处)?罚金(?:为|共计)?\s*/

/** Whether two texts are the same amount. Its unit must be the same, and one of the texts must state a unit, scale or currency. */
function isSameAmount(gold: string, predicted: string, column: string): boolean {
  const [left, right] = [gold, predicted].map(text => readQuantity(text.replace(fine, ''), false, column))
  if (left == null || right == null || left.shareOf !== right.shareOf) return false
  if (!statesMore(left) && !statesMore(right)) return false
  return compareNumbers(left, right, { gold: column, predicted: null }, areEqual, true).isEqual
}

const areEqual = (left: number, right: number): boolean => Math.abs(left - right) <= 1e-9 * Math.abs(left)

/** Whether two texts that differ in letter case or signs are amounts in different units: 16 GB and 16 Gb, 12" and 12'. */
export function areDifferentAmounts(gold: string, predicted: string, column: string): boolean {
  if (!anyDigit.test(gold) || gold.length > longestValue) return false
  const [left, right] = [gold, predicted].map(text => readQuantity(text, false, column))
  if (left == null || right == null) return false
  const isMeasured = ({ meanings }: Quantity): boolean =>
    meanings.every(({ dimension }) => dimension !== null)
  const columns = { gold: column, predicted: null }
  return isMeasured(left) && isMeasured(right) && !compareNumbers(left, right, columns, areEqual).isEqual
}

/** Whether a text states more than a bare number. */
const statesMore = ({ meanings, currency, shareOf }: Quantity): boolean =>
  currency !== null ||
  shareOf !== null ||
  meanings.some(({ scaled, dimension }) => scaled || dimension !== null)

function statesSameTerms(gold: string, predicted: string, column: string): boolean {
  const left = readPenalTerms(gold)
  const right = left === null ? null : readPenalTerms(predicted)
  return left !== null && right !== null && areSameTerms(left, right, penaltyOfColumn(column))
}
