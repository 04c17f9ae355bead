import { definePrimaryMetric, defineShareMetric } from '../../src/score/contract/define-metric.ts'
import type { TextScorer } from '../../src/score/metrics/metric.ts'
import { createTextScorer } from '../../src/score/metrics/text-scorer.ts'

/** The published value of a perfect answer: its code adds 1e-8 to a divisor. */
const best = 2 * (1 / (2 + 1e-8))

const compared = createTextScorer({
  summary: "StrucText-Eval's published accuracy: ROUGE-L where it is at least 0.75, else 0",
  usesJudge: false,
  primary: {
    ...definePrimaryMetric(
      'structextAccuracy',
      'StrucText accuracy',
      "StrucText-Eval's published ROUGE-L where it is at least 0.75, else 0. A perfect answer has 0.999999995. Null where the published code raises an exception.",
    ),
    range: [0, best],
  },
  parts: {
    rougeL: defineShareMetric(
      'structextRougeL',
      'StrucText ROUGE-L',
      'ROUGE-L by the Python package rouge 1.0.1, as the published code calls it.',
    ),
    goldShare: defineShareMetric(
      'structextGoldShare',
      'StrucText gold share',
      "Share of the gold's distinct words that a common subsequence contains.",
    ),
    answerShare: defineShareMetric(
      'structextAnswerShare',
      'StrucText answer share',
      "Share of the answer's distinct words that a common subsequence contains.",
    ),
  },
  metric: async () => (await import('./metric.ts')).structextMetric,
})

/** The scorer `structext`. Its item is right when the published value is that of a perfect answer. */
export const structextScorer: TextScorer = {
  ...compared,
  async score(input) {
    const result = await compared.score(input)
    if (result.status !== 'scored') return result
    const items = (result.items as readonly { readonly score: number | null }[]).map(item =>
      item.score === best ? { ...item, score: 1 } : item,
    )
    return { ...result, items: items as typeof result.items }
  },
}
