import type { JsonObject } from '../json-value.ts'
import { MetricError } from '../metric.ts'
import { toFloat } from '../python-coercion.ts'

/** From which score on a judged metric passes. @throws MetricError where it is no number */
export function passThreshold(params: JsonObject): number {
  if (params.pass_threshold === undefined) return 0.7
  const threshold = toFloat(params.pass_threshold)
  if (threshold !== null) return threshold
  const type = typeof params.pass_threshold === 'string' ? 'ValueError' : 'TypeError'
  throw new MetricError(type, 'pass_threshold is no number')
}
