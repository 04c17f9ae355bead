import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { makeNotScored, makeScored, type TextMetric } from '../../src/score/metrics/metric.ts'
import { computePublishedRougeL } from './published-rouge-l.ts'
import { makePublishedSummary, resultLinesSchema } from './published-summary.ts'

/** StrucText-Eval's accuracy by ROUGE-L. An answer on which the published code raises an exception has no value. */
export const structextMetric: TextMetric = {
  async score({ reference, prediction }) {
    const rouge = computePublishedRougeL(reference, prediction)
    if (typeof rouge === 'string')
      return makeNotScored(`the published code raises ${rouge} for this pair of texts`)
    const { f, p, r, thresholded } = rouge
    return makeScored(thresholded, { rougeL: f, goldShare: p, answerShare: r })
  },
  async referenceCase({ reference, prediction, fields }) {
    if ('lines' in fields) {
      const lines = resultLinesSchema.safeParse(fields.lines)
      if (!lines.success) throw new SyntaxError(`lines: ${describeZodProblem(lines.error, 'the list')}`)
      return { metrics: { ...makePublishedSummary(lines.data) }, error: null }
    }
    const rouge = computePublishedRougeL(reference, prediction)
    return typeof rouge === 'string' ? { metrics: {}, error: rouge } : { metrics: { ...rouge }, error: null }
  },
}
