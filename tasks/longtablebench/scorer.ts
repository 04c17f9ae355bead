import type { MetricDefinition } from '../../src/core/metric.ts'
import type { TextGold } from '../../src/core/task.ts'
import type { TextScorer } from '../../src/score/metrics/metric.ts'
import type { ScoringInput } from '../../src/score/scorer.ts'
import { longTableConfiguration } from './gold-answer.ts'

const share = { unit: 'share', better: 'higher', range: [0, 1] } as const
const primary: MetricDefinition = {
  ...share,
  key: 'longTableF1',
  label: 'LTB F1',
  primary: true,
  role: 'score',
  description:
    "F1 of the items of two lists, or 1 for the right row of a fact, by the rules of LongTableBench's scorer (as a published scorer of the same lineage computes it; see docs/longtablebench.md).",
}
const precision: MetricDefinition = {
  ...share,
  key: 'longTablePrecision',
  label: 'LTB precision',
  primary: false,
  role: 'companion',
  description: "Share of the answer's items that match a gold item.",
}
const recall: MetricDefinition = {
  ...share,
  key: 'longTableRecall',
  label: 'LTB recall',
  primary: false,
  role: 'companion',
  description: 'Share of the gold items that the answer matches.',
}

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
