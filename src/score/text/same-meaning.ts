import { readPeriod } from '../../text/dates.ts'
import { withDigits } from '../../text/number-words.ts'
import { anyFigure } from '../../text/numbers.ts'
import { areSameTerms, penaltyOfColumn, readPenalTerms } from '../../text/penal-terms.ts'
import { type Quantity, readQuantity } from '../../text/quantities.ts'
import { compareNumbers } from './compare-numbers.ts'
import { normaliseText, sameNumber } from './normalise.ts'

/** Longer texts are sentences, not values. */
const longestValue = 200

/**
 * Finds the rule by which two different texts have the same meaning: `date`, `duration`, `amount`, or `written-number` for
 * texts that differ only in how they write numbers.
 *
 * @returns null when there is none, which does not mean that the texts differ in meaning
 */
export function ruleOfSameMeaning(gold: string, predicted: string, column: string): string | null {
  if (gold.length > longestValue || predicted.length > longestValue) return null
  const left = withDigits(gold)
  const right = withDigits(predicted)
  if (!anyFigure.test(left) || !anyFigure.test(right)) return null
  if (isSameDate(gold, predicted)) return 'date'
  if (isSameAmount(left, right, column)) return 'amount'
  if (statesSameTerms(left.toLowerCase(), right.toLowerCase(), column)) return 'duration'
  if (left === gold && right === predicted) return null
  const isSame = normaliseText(left) === normaliseText(right) || sameNumber(left, right)
  return isSame && normaliseText(left) !== '' ? 'written-number' : null
}

/** Two plain numbers are compared as numbers, although 20240331 may be a date. */
function isSameDate(gold: string, predicted: string): boolean {
  if (/^\d+$/.test(gold) && /^\d+$/.test(predicted)) return false
  const date = readPeriod(gold)
  return date !== null && date === readPeriod(predicted)
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
