import {
  makeNotScored,
  makeScored,
  type ReferenceCaseScore,
  type TextMetric,
  type TextMetricScore,
} from '../../src/score/metrics/metric.ts'
import { findTableFormat, type TableFormat } from '../../src/text/table-format.ts'
import { computePublishedHScore, type PublishedHScore } from './h-score.ts'
import { PublishedError } from './latex-table.ts'
import { computePScore } from './p-score-replies.ts'

const tableFormats: readonly TableFormat[] = ['text', 'html', 'latex']

/**
 * Struc-Bench's H-Score to the letter. The published code reports two sums whose ranges differ by the form of the
 * table. The value is their sum divided by that of the gold against itself, so that the forms can be compared.
 */
export const publishedMetric: TextMetric = {
  async score({ reference, prediction }) {
    const format = findTableFormat(reference)
    try {
      const best = computePublishedHScore(format, { prediction: reference, reference })
      return asScore(computePublishedHScore(format, { prediction, reference }), best)
    } catch (error) {
      if (error instanceof RangeError) return makeNotScored(error.message)
      if (!(error instanceof PublishedError)) throw error
      return { value: 0, parts: { content: 0, format: 0 }, note: error.message }
    }
  },
  async referenceCase({ reference, prediction, fields }) {
    const format = tableFormats.find(name => name === fields.format) ?? findTableFormat(reference)
    if (Array.isArray(fields.replies)) return computePScore(format, fields.replies.map(String))
    return scoreCase(format, { prediction, reference })
  },
}

function asScore(score: PublishedHScore, best: PublishedHScore): TextMetricScore {
  const { content, format } = score
  const share = (content + format) / (best.content + best.format)
  return makeScored(Math.min(1, Math.max(0, share)), { content, format })
}

function scoreCase(
  format: TableFormat,
  texts: { readonly prediction: string; readonly reference: string },
): ReferenceCaseScore {
  try {
    const metrics = { ...computePublishedHScore(format, texts) }
    return { metrics, error: null }
  } catch (error) {
    if (error instanceof PublishedError) return { metrics: {}, error: error.exception }
    // Python ends a source that is nested too deeply in the same way.
    if (error instanceof RangeError) return { metrics: {}, error: 'RecursionError' }
    throw error
  }
}
