import type { TextGold } from '../../src/core/gold.ts'
import { definePrimaryMetric, defineShareMetric } from '../../src/score/contract/define-metric.ts'
import type { ScoringInput } from '../../src/score/contract/scorer.ts'
import type { TextScorer } from '../../src/score/metrics/metric.ts'
import { longTableConfiguration } from './gold-answer.ts'

const primary = definePrimaryMetric(
  'longTableF1',
  'LTB F1',
  "F1 of the items of two lists, or 1 for the right row of a fact, by the rules of LongTableBench's scorer (as a published scorer of the same lineage computes it; see docs/longtablebench.md).",
)
const precision = defineShareMetric(
  'longTablePrecision',
  'LTB precision',
  "Share of the answer's items that match a gold item.",
)
const recall = defineShareMetric(
  'longTableRecall',
  'LTB recall',
  'Share of the gold items that the answer matches.',
)

/** The scorer `longtablebench`. */
export const longTableBenchScorer: TextScorer = {
  summary: "LongTableBench's answer F1 as a published scorer of the same lineage computes it",
  usesJudge: false,
  kind: 'text',
  primary,
  parts: { precision, recall },
  metrics: [primary, precision, recall],
  configuration: longTableConfiguration,
  metric: async () => (await import('./metric.ts')).longTableMetric,
  async score(input) {
    const { scoreLongTableAnswer } = await import('./score-answer.ts')
    return scoreLongTableAnswer(input as ScoringInput<TextGold>)
  },
}
