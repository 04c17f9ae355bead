import type { PythonJsonObject } from '../../../src/score/python/json-value.ts'
import { MetricError } from '../metric.ts'
import { toFloat } from '../python-coercion.ts'

/**
 * The score from which a judged metric passes (`pass_threshold`, default 0.7).
 *
 * @throws MetricError when it is not a number
 */
export function passThreshold(params: PythonJsonObject): number {
  if (params.pass_threshold === undefined) return 0.7
  const threshold = toFloat(params.pass_threshold)
  if (threshold !== null) return threshold
  const type = typeof params.pass_threshold === 'string' ? 'ValueError' : 'TypeError'
  throw new MetricError(type, 'pass_threshold is not a number')
}
