import type { MetricDefinition } from '../../core/metric.ts'
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

/** A mean with what is known about it. */
export interface Measurement {
  readonly mean: number | null
  readonly low?: number | null
  readonly high?: number | null
  readonly bounds?: { readonly low: number; readonly high: number } | null
}

/** Formats a mean, or both of its bounds when a judge did not rate all items: `25.0–100.0`. */
export function meanText(metric: Unit, { mean, bounds = null }: Measurement): string {
  if (bounds === null) return metricText(metric, mean)
  return `${metricText(metric, bounds.low)}–${metricText(metric, bounds.high)}`
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
