import { type Metric, passOrFail } from '../metric.ts'
import { toFloat } from '../python-coercion.ts'

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
    return { score: passed ? 1 : partialScore(delta, tolerance), passed }
  },
}

/** Python's math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12). */
function isClose(a: number, b: number): boolean {
  if (a === b) return true
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false
  return Math.abs(a - b) <= Math.max(1e-9 * Math.max(Math.abs(a), Math.abs(b)), 1e-12)
}

/** The partial score of the published package. It is above 0 only for a negative tolerance. */
function partialScore(delta: number, tolerance: number): number {
  const rest = 1 - delta / Math.max(tolerance, 1e-12)
  return rest > 0 ? rest : 0
}
