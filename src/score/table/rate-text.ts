import { isBlankValue } from '../../core/blank-value.ts'
import { isSameBoolean } from '../../text/booleans.ts'
import { areDifferentCodes } from '../../text/column-units.ts'
import { commaItems, readAnswerItems, readGoldItems, scoreList } from '../text/lists.ts'
import { normaliseText, sameNumber } from '../text/normalise.ts'
import { areDifferentAmounts, ruleOfSameMeaning } from '../text/same-meaning.ts'
import { type CellRating, rating, ratings } from './rating.ts'

/** Tables write a dash for an empty cell. */
const dashes = /^[-‐‑‒–—―－/]*$/

/** Rates two cells of which at least one is blank: empty, a dash, or a word such as `N/A`, 无, 未提及. Null for any other cells. */
export function rateEmpty(gold: string, predicted: string): CellRating | null {
  const [left, right] = [gold, predicted].map(text => dashes.test(text) || isBlankValue(text))
  return left && right ? ratings.bothEmpty : left || right ? ratings.oneEmpty : null
}

/** The rules by which `rateTextByRules` decides. */
export const textRules: ReadonlySet<string> = new Set([
  'normalised-equal',
  'boolean',
  'date',
  'amount',
  'duration',
  'time',
  'range',
  'written-number',
  'list',
])

/**
 * Rates two different texts by fixed rules. The score is 1 when they are equal after normalisation or as numbers, or when
 * they state the same amount, date or duration; lists score by the paper's 0.8 rule. Returns null when no rule decides.
 *
 * @param column the gold's name of the column, which may state a currency or a penalty
 */
export function rateTextByRules(gold: string, predicted: string, column: string): CellRating | null {
  const left = normaliseText(gold)
  const right = normaliseText(predicted)
  if (left === right && left !== '')
    return areDifferentAmounts(gold, predicted, column) ? null : ratings.normalisedEqual
  if (areDifferentCodes(gold, predicted, column)) return null
  if (sameNumber(gold, predicted)) return ratings.normalisedEqual
  if (isSameBoolean(gold, predicted)) return rating(1, 'boolean')
  const rule = ruleOfSameMeaning(gold, predicted, column)
  if (rule !== null) return rating(1, rule)
  const items = readGoldItems(gold) ?? commaItems(gold, predicted)
  return items === null ? null : rating(scoreList(items, readAnswerItems(predicted, items)), 'list')
}
