import type { MetricDefinition } from '../../core/metric.ts'
import type { Measure } from '../model/report-group.ts'
import { unknown } from './numbers.ts'

type Unit = Pick<MetricDefinition, 'unit'>

/** Formats a value of a metric: a share as a percentage, everything else unchanged, with one decimal where needed. */
export function metricText(metric: Unit, value: number | null): string {
  if (value === null) return unknown
  const shown = inUnits(metric, value)
  return metric.unit === 'count' && Number.isInteger(shown) ? String(shown) : shown.toFixed(1)
}

/** Converts a value to its printed unit, which is percent for shares. */
export function inUnits({ unit }: Unit, value: number): number {
  return unit === 'share' ? 100 * value : value
}

/** Formats a difference with its sign. */
export function signedText(metric: Unit, value: number | null): string {
  if (value === null) return unknown
  const text = inUnits(metric, value).toFixed(1)
  return Number(text) > 0 ? `+${text}` : text === '-0.0' ? '0.0' : text
}

type Interval = Pick<Measure, 'mean' | 'low' | 'high'>
type Bounded = Pick<Measure, 'mean'> & Partial<Pick<Measure, 'bounds'>>

/** Formats a mean, or both of its bounds when a judge did not rate all items: `25.0–100.0`. */
export function meanText(metric: Unit, measure: Bounded | undefined): string {
  const { mean = null, bounds = null } = measure ?? {}
  if (bounds === null) return metricText(metric, mean)
  return `${metricText(metric, bounds.low)}–${metricText(metric, bounds.high)}`
}

/** Formats a mean with its interval: `45.3 [38.1, 52.0]`. Without an interval, only the mean; `–` without a mean. */
export function intervalText(metric: Unit, measure: (Bounded & Interval) | undefined): string {
  const { low = null, high = null, bounds = null } = measure ?? {}
  const text = meanText(metric, measure)
  // An interval around the rated items says nothing about the others.
  if (bounds !== null) return text
  return low === null || high === null
    ? text
    : `${text} [${metricText(metric, low)}, ${metricText(metric, high)}]`
}

/** Formats a difference with its interval: `+1.5 [-0.5, +3.5]`. */
export function signedIntervalText(metric: Unit, difference: Interval | null): string {
  const { mean = null, low = null, high = null } = difference ?? {}
  const text = signedText(metric, mean)
  return low === null || high === null
    ? text
    : `${text} [${signedText(metric, low)}, ${signedText(metric, high)}]`
}

/** Returns the head of a metric's column. Companion metrics are in lower case, except names such as `ROUGE-L` or `StrucText`. */
export function headOf({ label, role }: MetricDefinition): string {
  const isName = role === 'score' || /^.(?:-|\S*\p{Lu})/u.test(label)
  return isName ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`
}

/** Longer words of a narrow head are cut. */
const maxWordChars = 8

/** Shortens the long words of a head: `schema prec.` */
export function narrowHead(head: string): string {
  return head.replace(/[\p{L}\d]+/gu, word => (word.length > maxWordChars ? `${word.slice(0, 4)}.` : word))
}

/** Breaks a head at its first space into two lines. */
export function brokenHead(head: string): string {
  return head.replace(' ', '\n')
}
