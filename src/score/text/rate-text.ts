import { type CellRating, rating, ratings } from '../table/rating.ts'
import { answerItems, goldItems, listScore } from './lists.ts'
import { normaliseText, sameNumber } from './normalise.ts'

/**
 * Rates two different texts by fixed rules. The score is 1 when they are equal after normalisation or as numbers;
 * lists score by the paper's 0.8 rule. Returns null when no rule decides.
 */
export function rateTextByRules(gold: string, predicted: string): CellRating | null {
  const left = normaliseText(gold)
  const right = normaliseText(predicted)
  if (left === right && left !== '') return ratings.normalisedEqual
  if (sameNumber(gold, predicted)) return ratings.normalisedEqual
  const items = goldItems(gold)
  return items === null ? null : rating(listScore(items, answerItems(predicted, items)), 'list')
}
