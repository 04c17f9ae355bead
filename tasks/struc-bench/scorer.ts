import type { MetricDefinition } from '../../src/core/metric.ts'
import { definePrimaryMetric } from '../../src/score/contract/define-metric.ts'
import { createTextScorer } from '../../src/score/metrics/text-scorer.ts'
import { abilities, abilityInputSchema, abilityMap } from './abilities.ts'

const definePointsMetric = (
  key: string,
  label: string,
  description: string,
  range: MetricDefinition['range'],
): MetricDefinition => ({
  key,
  label,
  unit: 'points',
  better: 'higher',
  primary: false,
  role: 'companion',
  description,
  range,
})

/** The scorer `struc-bench`. */
export const strucBenchScorer = createTextScorer({
  summary: "Struc-Bench's H-Score as its published code computes it, defects included",
  usesJudge: false,
  primary: definePrimaryMetric(
    'strucBench',
    'H-Score share',
    "Content plus format, divided by the gold's own sum (below 0 counts 0). This share is not in the paper; it makes text, HTML and LaTeX comparable.",
  ),
  parts: {
    content: definePointsMetric(
      'strucBenchContent',
      'H-Score content (published)',
      'The sum that the published code reports for content: at most 2 for text and HTML, 3 for LaTeX (arXiv 2309.08963).',
      [null, 3],
    ),
    format: definePointsMetric(
      'strucBenchFormat',
      'H-Score format (published)',
      'The sum that the published code reports for format: at most 4 for text and LaTeX, 3 for HTML (arXiv 2309.08963).',
      [null, 4],
    ),
  },
  metric: async () => (await import('./published-metric.ts')).publishedMetric,
})

/** The scorer `struc-bench-p-score`. */
export const strucBenchPScore = createTextScorer({
  summary: "Struc-Bench's P-Score: a judge model rates content and structure, in both orders",
  needsJudgeModel: true,
  primary: definePrimaryMetric(
    'pScore',
    'P-Score',
    'Mean of content and structure over 10. Replies are read as the published code reads them (arXiv 2309.08963).',
  ),
  parts: {
    content: definePointsMetric(
      'pScoreContent',
      'P-Score content',
      'Mean rating of content in both orders, 0 to 10.',
      [null, null],
    ),
    structure: definePointsMetric(
      'pScoreStructure',
      'P-Score structure',
      'Mean rating of structure in both orders, 0 to 10.',
      [null, null],
    ),
  },
  metric: async () => (await import('./p-score.ts')).pScore,
})

/** The scorer `struc-bench-abilities`. */
export const strucBenchAbilities = createTextScorer({
  summary: "Struc-Bench's ability map: a judge model rates five abilities",
  needsJudgeModel: true,
  configuration: abilityInputSchema.prefault({}),
  primary: definePrimaryMetric(
    'abilityMean',
    'Abilities',
    'Mean of the five abilities over 10 (Struc-Bench, Figure 3).',
  ),
  parts: Object.fromEntries(
    abilities.map(({ name, label, question }) => [
      name,
      definePointsMetric(`ability.${name}`, label, `${question} Rated by a judge model, 0 to 10.`, [0, 10]),
    ]),
  ),
  metric: async () => abilityMap,
})
