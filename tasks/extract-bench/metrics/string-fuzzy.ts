import { sequenceRatio } from '../../../src/score/fuzzy/difflib.ts'
import { pythonStr } from '../../../src/score/python/json-value.ts'
import type { Metric } from '../metric.ts'
import { isTruthy, toFloat } from '../python-coercion.ts'

/**
 * `string_fuzzy`: difflib's ratio of the texts, in lower case unless params.case_sensitive. Passes from
 * params.threshold (default 0.8).
 */
export const stringFuzzy: Metric = {
  judged: false,
  compare({ gold, predicted, params }) {
    const lowered = (text: string): string => (isTruthy(params.case_sensitive) ? text : text.toLowerCase())
    const score = sequenceRatio(lowered(pythonStr(gold)), lowered(pythonStr(predicted)))
    return { score, passed: score >= (toFloat(params.threshold) ?? 0.8) }
  },
}
