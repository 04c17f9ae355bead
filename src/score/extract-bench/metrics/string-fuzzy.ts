import { sequenceRatio } from '../../fuzzy/difflib.ts'
import type { Metric } from '../metric.ts'
import { isTruthy, toFloat } from '../python-coercion.ts'
import { pythonStr } from '../python-str.ts'

/** difflib's ratio, lowered unless params.case_sensitive; passed from params.threshold (0.8) on. */
export const stringFuzzy: Metric = {
  judged: false,
  compare({ gold, predicted, params }) {
    const lowered = (text: string): string => (isTruthy(params.case_sensitive) ? text : text.toLowerCase())
    const score = sequenceRatio(lowered(pythonStr(gold)), lowered(pythonStr(predicted)))
    return { score, passed: score >= (toFloat(params.threshold) ?? 0.8) }
  },
}
