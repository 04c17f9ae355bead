import type { TableGold, TextGold } from '../../src/core/gold.ts'
import type { AnswerKindName, MetricDefinition } from '../../src/core/metric.ts'
import {
  definePrimaryMetric,
  defineScoreMetric,
  defineShareMetric,
} from '../../src/score/contract/define-metric.ts'
import type { Scorer, ScoringInput } from '../../src/score/contract/scorer.ts'
import { writeGoldAnswer } from './writing.ts'

const rouge = 'of the gold as text, as the Python package rouge-score computes it with a stemmer.'

const metrics: readonly MetricDefinition[] = [
  definePrimaryMetric(
    'looseAccuracy',
    'Loose accuracy',
    'Share of the gold texts, keys included, that the answer contains after normalisation (FanOutQA, ACL 2024).',
  ),
  defineScoreMetric('strictAccuracy', 'Strict accuracy', 'The answer contains every gold text (FanOutQA).'),
  defineShareMetric('rouge1', 'ROUGE-1', `F1 of the words ${rouge}`),
  defineShareMetric('rouge2', 'ROUGE-2', `F1 of the pairs of words ${rouge}`),
  defineShareMetric('rougeL', 'ROUGE-L', `F1 of the longest common subsequence ${rouge}`),
]

const createFanOutScorer = (kind: AnswerKindName, summary: string): Scorer => ({
  summary,
  usesJudge: false,
  kind,
  metrics,
  writeGold: gold => writeGoldAnswer(gold as TableGold | TextGold),
  async score(input) {
    const { scoreFanOutAnswer } = await import('./score-answer.ts')
    return scoreFanOutAnswer(input as ScoringInput<TableGold | TextGold>)
  },
})

/** FanOutQA's string accuracy and ROUGE for texts and lists. */
export const fanOutScorer = createFanOutScorer(
  'text',
  "FanOutQA's string accuracy: the gold texts that the answer contains",
)

/** FanOutQA's string accuracy and ROUGE for tables of keys and values. */
export const fanOutTableScorer = createFanOutScorer(
  'table',
  "FanOutQA's string accuracy: the keys and values of the gold that the answer contains",
)
