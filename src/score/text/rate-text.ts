import { type CellRating, rating, ratings } from '../table/rating.ts'
import { answerItems, goldItems, listScore } from './lists.ts'
import { normaliseText, sameNumber } from './normalise.ts'

/**
 * Two texts that are not equal as they stand, by fixed rules: equal after normalisation or as numbers 1, a list by the
 * paper's 0.8 rule, anything else 0.
 */
export function rateTextByRules(gold: string, predicted: string): CellRating {
  const left = normaliseText(gold)
  const right = normaliseText(predicted)
  if (left === right && left !== '') return ratings.normalisedEqual
  if (sameNumber(gold, predicted)) return ratings.normalisedEqual
  const items = goldItems(gold)
  return items === null ? ratings.different : rating(listScore(items, answerItems(predicted)), 'list')
}
