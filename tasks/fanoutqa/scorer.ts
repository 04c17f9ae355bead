import type { AnswerKindName, MetricDefinition } from '../../src/core/metric.ts'
import type { TableGold, TextGold } from '../../src/core/task.ts'
import type { Scorer, ScoringInput } from '../../src/score/contract/scorer.ts'
import { writtenGold } from './writing.ts'

const share = (key: string, label: string, description: string): MetricDefinition => ({
  ...{ key, label, description, unit: 'share', better: 'higher', primary: false, role: 'companion' },
  range: [0, 1],
})

const rouge = 'of the gold as text, as the Python package rouge-score computes it with a stemmer.'

const metrics: readonly MetricDefinition[] = [
  {
    ...share(
      'looseAccuracy',
      'Loose accuracy',
      'Share of the gold texts, keys included, that the answer contains after normalisation (FanOutQA, ACL 2024).',
    ),
    primary: true,
    role: 'score',
  },
  {
    ...share('strictAccuracy', 'Strict accuracy', 'The answer contains every gold text (FanOutQA).'),
    role: 'score',
  },
  share('rouge1', 'ROUGE-1', `F1 of the words ${rouge}`),
  share('rouge2', 'ROUGE-2', `F1 of the pairs of words ${rouge}`),
  share('rougeL', 'ROUGE-L', `F1 of the longest common subsequence ${rouge}`),
]

const fanOut = (kind: AnswerKindName, summary: string): Scorer => ({
  summary,
  usesJudge: false,
  kind,
  metrics,
  writeGold: gold => writtenGold(gold as TableGold | TextGold),
  async score(input) {
    const { scoreFanOutAnswer } = await import('./score-answer.ts')
    return scoreFanOutAnswer(input as ScoringInput<TableGold | TextGold>)
  },
})

/** FanOutQA's string accuracy and ROUGE for texts and lists. */
export const fanOutScorer = fanOut(
  'text',
  "FanOutQA's string accuracy: the gold texts that the answer contains",
)

/** FanOutQA's string accuracy and ROUGE for tables of keys and values. */
export const fanOutTableScorer = fanOut(
  'table',
  "FanOutQA's string accuracy: the keys and values of the gold that the answer contains",
)
