import type { TextGold } from '../../core/gold.ts'
import type { Scorer, ScoringInput } from '../contract/scorer.ts'
import type { TextScorer } from './metric.ts'

/**
 * Creates a scorer of texts from a metric. The answer is compared with each reference of the gold, and the best
 * counts. For a list answer, every element of the gold is scored.
 */
export function createTextScorer(of: Omit<TextScorer, 'kind' | 'metrics' | 'score'>): TextScorer {
  const scorer: TextScorer = {
    ...of,
    kind: 'text',
    hasGoldCheck: true,
    metrics: [of.primary, ...Object.values(of.parts)],
    async score(input) {
      const { scoreTextAnswer } = await import('./score-text-answer.ts')
      return await scoreTextAnswer(scorer, input as ScoringInput<TextGold>)
    },
  }
  return scorer
}

/** Whether a scorer compares texts by one metric. */
export function isTextScorer(scorer: Scorer): scorer is TextScorer {
  return scorer.kind === 'text' && 'metric' in scorer
}
