import type { JsonGold } from '../../src/core/gold.ts'
import { definePrimaryMetric } from '../../src/score/contract/define-metric.ts'
import type { Scorer, ScoringInput } from '../../src/score/contract/scorer.ts'

/** ExtractBench's published scorer of JSON (package version 0.1.0). */
export const extractBenchScorer: Scorer = {
  summary:
    "ExtractBench's published scorer of JSON: each field by the metric that its schema names, lists by matching their elements",
  kind: 'json',
  hasGoldCheck: true,
  metrics: [
    definePrimaryMetric(
      'fieldPassRate',
      'Fields passed',
      'Share of the scored fields of the schema that pass. All fields of an answer that is not valid JSON of the schema fail.',
    ),
  ],
  async score(input) {
    const { scoreJsonAnswer } = await import('./score-answer.ts')
    return await scoreJsonAnswer(input as ScoringInput<JsonGold>)
  },
}
