import { itemsOf, type Score, unratedItems } from '../../core/score.ts'
import { groupBy } from './entries.ts'
import { scoringOf } from './scorings.ts'

/** Above this share of items without a rating in an arm, the first screen has a line about it. */
export const largeUnratedShare = 0.05

/** Says for each scoring how many items a judge did not rate. Empty when all items are rated. */
export function unratedNotes(scores: readonly Score[]): string[] {
  return [...groupBy(scores, scoringOf)].flatMap(([scoring, own]) => {
    const scored = own.filter(({ status }) => status === 'scored')
    const unrated = scored.reduce((sum, score) => sum + unratedItems(score), 0)
    if (unrated === 0) return []
    const items = scored.reduce(
      (sum, score) => sum + itemsOf(score).length + (score.counts.unscoredTurns ?? 0),
      0,
    )
    const attempts = scored.filter(score => unratedItems(score) > 0).length
    return [
      `${unratedText(unrated, items)} (${scoring}), in ${attempts} of ${scored.length} scored attempts. Scores that they could move are printed with both bounds`,
    ]
  })
}

/** Says how many items have no rating: `the judge did not rate 18 of 24 items`. */
export function unratedText(unrated: number, items: number): string {
  return `the judge did not rate ${unrated} of ${items} ${items === 1 ? 'item' : 'items'}`
}
