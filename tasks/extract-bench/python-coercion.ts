import {
  type JsonValue,
  LargeInteger,
  makePlainNumber,
  type PythonJsonObject,
} from '../../src/score/python/json-value.ts'
import { pythonFloat, pythonInteger } from '../../src/score/python/number.ts'
import { MetricError } from './metric.ts'

/** Python's float() of a JSON value; null when it raises. */
export function toFloat(json: JsonValue | undefined): number | null {
  const value = json === undefined ? undefined : makePlainNumber(json)
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' ? pythonFloat(value) : null
}

/** Python's int() of a JSON value: floats are truncated, and texts must be whole numbers. Null when it raises. */
export function toInteger(json: JsonValue): bigint | null {
  if (json instanceof LargeInteger) return json.value
  const value = makePlainNumber(json)
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : null
  if (typeof value === 'boolean') return value ? 1n : 0n
  return typeof value === 'string' ? pythonInteger(value) : null
}

/** Python's truth of a JSON value: null, 0, "", [] and {} are false. */
export function isTruthy(json: JsonValue | undefined): boolean {
  const value = json === undefined ? undefined : makePlainNumber(json)
  if (value === undefined || value === null || value === false || value === 0 || value === '') return false
  return typeof value === 'object' ? Object.keys(value).length > 0 : true
}

/**
 * The score from which a judged metric passes (`pass_threshold`, default 0.7).
 *
 * @throws MetricError when it is not a number
 */
export function readPassThreshold(params: PythonJsonObject): number {
  if (params.pass_threshold === undefined) return 0.7
  const threshold = toFloat(params.pass_threshold)
  if (threshold !== null) return threshold
  const type = typeof params.pass_threshold === 'string' ? 'ValueError' : 'TypeError'
  throw new MetricError(type, 'pass_threshold is not a number')
}
