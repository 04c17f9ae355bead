import type { Score } from '../../core/score.ts'
import { groupBy } from './entries.ts'

/** Says for each scorer whose successes are not the answers with every item right what they are. */
export function successNotes(scores: readonly Score[]): string[] {
  const scored = scores.filter(({ status }) => status === 'scored')
  return [...groupBy(scored, ({ scorer }) => scorer)].flatMap(([scorer, own]) => {
    const rules = new Set(own.map(({ successAt }) => successAt))
    const [rule] = rules
    if (rules.size === 1 && rule === undefined) return []
    const names = [...rules].map(at => (at === undefined ? 'every item right' : `at least ${at}`)).sort()
    return rules.size === 1
      ? [`a success of scorer ${scorer} is an answer with ${names[0]} of its metric (--success-at)`]
      : [
          `successes of scorer ${scorer} follow several rules (${names.join(', ')}), so their shares cannot be compared`,
        ]
  })
}
