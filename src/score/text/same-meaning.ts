import { areSameCoordinates } from '../../text/coordinates.ts'
import { readDayOfYear, readLoosePeriod } from '../../text/dates.ts'
import { withPlainNumerals } from '../../text/key-figures.ts'
import { withDigits } from '../../text/number-words.ts'
import { anyFigure } from '../../text/numbers.ts'
import { areSameTerms, findColumnPenalty, readPenalTerms } from '../../text/penal-terms.ts'
import { type Quantity, readQuantity } from '../../text/quantities.ts'
import { readDateRange, readRange } from '../../text/ranges.ts'
import { areSameTimes } from '../../text/times-of-day.ts'
import { compareNumbers } from './compare-numbers.ts'
import { boundSigns, isSameNumber, normaliseText } from './normalise.ts'

/** Longer texts are sentences, not values. */
const longestValue = 200

/**
 * Finds the rule by which two different texts have the same meaning: `date`, `amount`, `duration`, `time`, `range`, `bound`,
 * `coordinate`, or `written-number` for texts that differ only in how they write numbers.
 *
 * @returns null when there is none, which does not mean that the texts differ in meaning
 */
export function findMeaningRule(gold: string, predicted: string, column: string): string | null {
  if (gold.length > longestValue || predicted.length > longestValue) return null
  const left = withDigits(gold)
  const right = withDigits(predicted)
  const isRead = anyFigure.test(left) && anyFigure.test(right)
  if (isSameDate(gold, predicted) || isSameDayOfYear(gold, predicted, column)) return 'date'
  if (areSameTimes(left, right, column)) return 'time'
  if (!isRead) return anyDigit.test(left) || anyDigit.test(right) ? findWrittenNumber(left, right) : null
  if (isSameAmount(left, right, column)) return 'amount'
  if (plainFigure.test(gold) && plainFigure.test(predicted)) return null
  if (statesSameTerms(left.toLowerCase(), right.toLowerCase(), column)) return 'duration'
  if (isSameRange(left, right, column)) return 'range'
  if (isSameBound(left, right, column)) return 'bound'
  if (areSameCoordinates(left, right, column)) return 'coordinate'
  return findWrittenNumber(left, right)
}

const anyDigit = /\d/
const plainFigure = /^-?[\d.,]+ ?%?$/
const numberSign = /^(?:#|no\.|nr\.|n[°º]|№)\s?(?=\d)|(?<=^\d{1,3})\.$/iu
/** Words for signs: $5 per month, 4 out of 5, at least 12. */
const signWords: readonly (readonly [RegExp, string])[] = [
  ...boundSigns,
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
  [/(?<=\d )b\.?c\.?(?:e\.?)?$/i, 'BC'],
  [/^(\p{Lu}{3,5})\s?(\d[\d.,]*)$/u, '$2 $1'],
  [/^a\.?d\.? (\d+)$|^(\d+) (?:a\.?d\.?|c\.?e\.?)$/i, '$1$2 AD'],
  [/(?<![\p{L}\p{N}.])\.(?=\d)/gu, '0.'],
]

/** Texts that differ only in how they write numbers: in words, as ordinals or as Roman numerals, or signs in words. */
function findWrittenNumber(left: string, right: string): string | null {
  const [a, b] = [left, right].map(text =>
    withSigns(
      withPlainNumerals(text)
        .replace(numberSign, '')
        .replace(/^zero$/i, '0'),
    ),
  ) as [string, string]
  const isSame = normaliseText(a) === normaliseText(b) || isSameNumber(a, b)
  return isSame && normaliseText(a) !== '' ? 'written-number' : null
}

const withSigns = (text: string): string =>
  signWords.reduce((plain, [words, sign]) => plain.replace(words, sign), text)

/** Whether two texts are the same bound of equal amounts: `> 1 million` and `more than 1,000,000`. */
function isSameBound(left: string, right: string, column: string): boolean {
  const [a, b] = [left, right].map(text => /^([<>≤≥])\s*(.+)$/s.exec(withSigns(text.trim())))
  return a?.[1] !== undefined && a[1] === b?.[1] && isSameAmount(a[2]!, b[2]!, column)
}

/** Whether two texts are ranges with the same ends. */
function isSameRange(gold: string, predicted: string, column: string): boolean {
  const period = readDateRange(gold)
  if (period !== null && period === readDateRange(predicted)) return true
  const left = readRange(gold, column)
  const right = left === null ? null : readRange(predicted, column)
  if (left === null || right === null) return false
  const isSame = (a: string, b: string): boolean =>
    normaliseText(a) === normaliseText(b) ||
    isSameNumber(a, b) ||
    isSameDate(a, b) ||
    isSameAmount(a, b, column) ||
    isSameDecimal(a, b) ||
    areSameTimes(a, b, column)
  return isSame(left.from, right.from) && isSame(left.to, right.to)
}

/** Two plain numbers are compared as numbers, although 20240331 may be a date. */
function isSameDate(gold: string, predicted: string): boolean {
  if (/^\d+$/.test(gold) && /^\d+$/.test(predicted)) return false
  const date = readLoosePeriod(gold)
  return date !== null && date === readLoosePeriod(predicted)
}

const longestDay = 80
const namesDate = /\b(?:date|month|period|monat|mois|mes|mese|when)s?\b|月|日期/i

/** Whether two texts are the same day or month of any year: 31 March and March 31. A month alone counts under a name of dates. */
function isSameDayOfYear(gold: string, predicted: string, column: string): boolean {
  if (gold.length > longestDay || (!/\p{L}/u.test(gold) && !/\p{L}/u.test(predicted))) return false
  if (!anyDigit.test(gold) && !namesDate.test(column)) return false
  const day = readDayOfYear(gold)
  return day !== null && day === readDayOfYear(predicted)
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
  return left !== null && right !== null && areSameTerms(left, right, findColumnPenalty(column))
}
