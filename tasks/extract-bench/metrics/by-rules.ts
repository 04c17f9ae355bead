import { computeSequenceRatio } from '../../../src/score/fuzzy/difflib.ts'
import { pythonStr } from '../../../src/score/python/json-value.ts'
import { casefold } from '../../../src/text/plain-text.ts'
import { type Metric, passOrFail } from '../metric.ts'
import { isTruthy, toFloat, toInteger } from '../python-coercion.ts'

/**
 * `boolean_exact`: both true or both false. Two values that are not booleans pass too: a defect of the published
 * package that is kept.
 */
export const booleanExact: Metric = {
  judged: false,
  compare({ gold, predicted }) {
    const left = typeof gold === 'boolean' ? gold : null
    const right = typeof predicted === 'boolean' ? predicted : null
    return passOrFail(left === right)
  },
}

/**
 * `integer_exact`: equal whole numbers after truncation. Two values that are not numbers pass too: a defect of the
 * published package that is kept.
 */
export const integerExact: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(toInteger(gold) === toInteger(predicted)),
}

/**
 * `number_exact`: equal numbers. Two values that are not numbers pass too: a defect of the published package that is
 * kept.
 */
export const numberExact: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(toFloat(gold) === toFloat(predicted)),
}

/** `string_exact`: equal texts. Other values are compared as Python's str() writes them. */
export const stringExact: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(pythonStr(gold) === pythonStr(predicted)),
}

/** `string_case_insensitive`: equal texts after full Unicode case folding. */
export const stringCaseInsensitive: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(casefold(pythonStr(gold)) === casefold(pythonStr(predicted))),
}

/**
 * `string_fuzzy`: difflib's ratio of the texts, in lower case unless params.case_sensitive. Passes from
 * params.threshold (default 0.8).
 */
export const stringFuzzy: Metric = {
  judged: false,
  compare({ gold, predicted, params }) {
    const lowerCase = (text: string): string => (isTruthy(params.case_sensitive) ? text : text.toLowerCase())
    const score = computeSequenceRatio(lowerCase(pythonStr(gold)), lowerCase(pythonStr(predicted)))
    return { score, passed: score >= (toFloat(params.threshold) ?? 0.8) }
  },
}

/**
 * `number_tolerance`: numbers that differ by at most params.tolerance (default 1e-6, absolute). Two values that are
 * not numbers pass too: a defect of the published package that is kept.
 */
export const numberTolerance: Metric = {
  judged: false,
  compare({ gold, predicted, params }) {
    const left = toFloat(gold)
    const right = toFloat(predicted)
    if (left === null || right === null) return passOrFail(left === right)
    const tolerance = toFloat(params.tolerance) ?? 1e-6
    const delta = Math.abs(left - right)
    const passed = delta <= tolerance || isClose(delta, tolerance)
    return { score: passed ? 1 : computePartialScore(delta, tolerance), passed }
  },
}

/** Python's math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12). */
function isClose(a: number, b: number): boolean {
  if (a === b) return true
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false
  return Math.abs(a - b) <= Math.max(1e-9 * Math.max(Math.abs(a), Math.abs(b)), 1e-12)
}

/** The partial score of the published package. It is above 0 only for a negative tolerance. */
function computePartialScore(delta: number, tolerance: number): number {
  const rest = 1 - delta / Math.max(tolerance, 1e-12)
  return rest > 0 ? rest : 0
}
