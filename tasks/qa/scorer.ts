import { definePrimaryMetric, defineShareMetric } from '../../src/score/contract/define-metric.ts'
import { createTextScorer } from '../../src/score/metrics/text-scorer.ts'

/** Exact match and F1 of words, as usual for question answering, with the values compared as `strict` does. */
export const qaScorer = createTextScorer({
  summary: 'question answering: exact match by the rules of strict, and F1 of words',
  forgives:
    'spellings, not values: case, a final full stop, marks of sources, a leading "the", 1,200 and 1200, €14.2k and 14200 EUR, 2 May 2024 and 2024-05-02; not further words',
  usesJudge: false,
  primary: definePrimaryMetric(
    'qaExactMatch',
    'Exact match',
    'The answer has the same value as an accepted answer: text, number, amount or date, however it is written.',
  ),
  parts: {
    f1: defineShareMetric(
      'qaTokenF1',
      'Token F1',
      'F1 of the words that the answer shares with the most similar accepted answer without articles and punctuation (SQuAD, arXiv 1606.05250).',
    ),
  },
  metric: async () => (await import('./metric.ts')).qaMetric,
})
