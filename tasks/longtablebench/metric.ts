import { answerLimits } from '../../src/score/answer/limits.ts'
import { notScored, type TextMetric, type TextMetricScore } from '../../src/score/metrics/metric.ts'
import { compareLists, type ListComparison } from './compare-lists.ts'
import { isSameRow } from './compare-rows.ts'
import { type GoldAnswer, readGoldAnswer } from './gold-answer.ts'
import { Uncomputable } from './plain-value.ts'
import { readAnswer } from './read-answer.ts'

/** LongTableBench's score of an answer, as the published scorer's lineage computes it. */
export const longTableMetric: TextMetric = {
  async score({ reference, prediction }) {
    return asScore(scoreLongTable(readGoldAnswer(reference), prediction))
  },
  async scoreList({ references, prediction }) {
    const comparison = scoreLongTable({ kind: 'list', items: references }, prediction)
    const items = references.map((_, at) => {
      const predicted = comparison?.matched[at] ?? null
      return { score: comparison === null ? null : Number(predicted !== null), predicted }
    })
    return { ...asScore(comparison), items }
  },
  async referenceCase({ reference, prediction }) {
    const comparison = scoreLongTable(readGoldAnswer(reference), prediction)
    if (comparison === null) return { metrics: {}, error: 'AnswerTooLarge' }
    const { precision, recall, f1 } = comparison
    return { metrics: { precision, recall, f1 }, error: null }
  },
}

function asScore(comparison: ListComparison | null): TextMetricScore {
  if (comparison === null) return notScored(`answer too large: more than ${answerLimits.chars} characters`)
  const { precision, recall, f1 } = comparison
  return { value: f1, parts: { precision, recall }, note: null }
}

/**
 * Scores an answer as the model wrote it. A row is right or wrong as a whole.
 *
 * @returns null when the answer is too large to read
 */
export function scoreLongTable(gold: GoldAnswer, answer: string): ListComparison | null {
  if (answer.length > answerLimits.chars) return null
  const text = readAnswer(answer)
  try {
    if (gold.kind === 'list') return compareLists(gold.items, text)
    const hit = Number(isSameRow(gold.row, text))
    return { precision: hit, recall: hit, f1: hit, matched: [hit === 1 ? text : null] }
  } catch (error) {
    if (!(error instanceof Uncomputable)) throw error
    const items = gold.kind === 'list' ? gold.items : [null]
    return { precision: 0, recall: 0, f1: 0, matched: items.map(() => null) }
  }
}
