import type { MetricDefinition } from '../../core/metric.ts'
import type { Measure } from '../model/report-group.ts'
import { unknown } from './numbers.ts'

type Unit = Pick<MetricDefinition, 'unit'>

/** A metric's value as it is printed: a share as a percentage, everything else as it is; one decimal where needed. */
export function metricText(metric: Unit, value: number | null): string {
  if (value === null) return unknown
  const shown = inUnits(metric, value)
  return metric.unit === 'count' && Number.isInteger(shown) ? String(shown) : shown.toFixed(1)
}

/** A value in the units in which it is printed: percent of a share. */
export function inUnits({ unit }: Unit, value: number): number {
  return unit === 'share' ? 100 * value : value
}

/** A difference of two values, with its sign. */
export function signedText(metric: Unit, value: number | null): string {
  if (value === null) return unknown
  const text = inUnits(metric, value).toFixed(1)
  return Number(text) > 0 ? `+${text}` : text === '-0.0' ? '0.0' : text
}

type Interval = Pick<Measure, 'mean' | 'low' | 'high'>

/** `45.3 [38.1, 52.0]`; the mean alone where there is no interval, `–` where there is no mean. */
export function intervalText(metric: Unit, measure: Interval | undefined): string {
  const { mean = null, low = null, high = null } = measure ?? {}
  const text = metricText(metric, mean)
  return low === null || high === null
    ? text
    : `${text} [${metricText(metric, low)}, ${metricText(metric, high)}]`
}

/** `+1.5 [-0.5, +3.5]` */
export function signedIntervalText(metric: Unit, difference: Interval | null): string {
  const { mean = null, low = null, high = null } = difference ?? {}
  const text = signedText(metric, mean)
  return low === null || high === null
    ? text
    : `${text} [${signedText(metric, low)}, ${signedText(metric, high)}]`
}

/** The name of a metric's column. What only qualifies a score is in lower case. */
export function headOf({ label, role }: MetricDefinition): string {
  const isName = role === 'score' || /^.\p{Lu}/u.test(label)
  return isName ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`
}

/** Words longer than this are cut where there is little room. */
const longestWord = 8

/** A head with its long words cut: `schema prec.` */
export function narrowHead(head: string): string {
  return head.replace(/[\p{L}\d]+/gu, word => (word.length > longestWord ? `${word.slice(0, 4)}.` : word))
}

/** A head on two lines: broken at its first space. */
export function brokenHead(head: string): string {
  return head.replace(' ', '\n')
}
