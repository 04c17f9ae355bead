import type { Gold, TextGold } from '../../src/core/gold.ts'
import type { MetricDefinition } from '../../src/core/metric.ts'
import { definePrimaryMetric, defineShareMetric } from '../../src/score/contract/define-metric.ts'
import type { Scorer, ScoringInput } from '../../src/score/contract/scorer.ts'
import { browseCompGoldSchema } from './gold-settings.ts'

const metrics: readonly MetricDefinition[] = [
  definePrimaryMetric(
    'browseCompAccuracy',
    'BrowseComp accuracy',
    '1 where a judge model says that the final answer means the same as the gold, else 0 (BrowseComp-Plus, arXiv 2508.06600). Unscored when the judge fails.',
  ),
  defineShareMetric(
    'browseCompConfidence',
    'Stated confidence',
    'The confidence that the answer states, as the judge reads it; 1 when it states none. Null without a verdict.',
  ),
]

/** BrowseComp-Plus's scorer: a judge model compares a short answer with the gold and reads its confidence. */
export const browseCompPlusScorer: Scorer = {
  summary:
    "BrowseComp-Plus's judge: a judge model says whether the answer is right, and reads its confidence",
  kind: 'text',
  needsJudgeModel: true,
  metrics,
  configuration: browseCompGoldSchema.prefault({}),
  writeGold: (gold: Gold) => `Exact Answer: ${(gold as TextGold).references[0]}\nConfidence: 100%\n`,
  async score(input) {
    const { scoreBrowseCompAnswer } = await import('./score-answer.ts')
    return await scoreBrowseCompAnswer(input as ScoringInput<TextGold>)
  },
}
