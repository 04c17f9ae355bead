import type { MetricDefinition, MetricUnit } from '../../core/metric.ts'

/** Stands for an unknown value in every table. */
export const unknown = '–'

/** Formats a share as a percentage with one decimal. */
export function formatPercent(share: number | null): string {
  return share === null ? unknown : (100 * share).toFixed(1)
}

/** Formats a count, with a unit when it is large: 950, 12.3k, 4.0m. */
export function formatCompactCount(count: number | null): string {
  if (count === null) return unknown
  if (count >= 999_500) return `${(count / 1e6).toFixed(1)}m`
  if (count >= 1000) return `${(count / 1000).toFixed(count < 99_950 ? 1 : 0)}k`
  return count.toFixed(Number.isInteger(count) || count >= 100 ? 0 : 1)
}

/** Formats milliseconds as seconds: 12.5, 140. */
export function formatSeconds(ms: number | null): string {
  if (ms === null) return unknown
  return ms < 100_000 ? (ms / 1000).toFixed(1) : (ms / 1000).toFixed(0)
}

/** Formats milliseconds as seconds with up to three decimals: 0.004, 1.25, 12.5. */
export function formatFineSeconds(ms: number | null): string {
  if (ms === null || ms >= 10_000) return formatSeconds(ms)
  return (ms / 1000).toFixed(ms >= 1000 ? 2 : 3)
}

/** Formats an amount of US dollars: 0, 0.000047, 0.0123, 4.56. */
export function formatDollars(usd: number | null): string {
  if (usd === null) return unknown
  if (usd === 0) return '0'
  if (usd < 1e-6) return '<0.000001'
  if (usd < 0.001) return String(Number(usd.toPrecision(2)))
  return usd.toFixed(usd < 0.1 ? 4 : 2)
}

/** Formats a p-value: 0.042, <0.001. Null, for fewer than five components, is unknown. */
export function formatP(pValue: number | null): string {
  if (pValue === null) return unknown
  return pValue < 0.001 ? '<0.001' : pValue.toFixed(3)
}

/** Something measured in the unit of a metric. */
export interface WithUnit {
  readonly unit: MetricUnit
}

/** Formats a value of a metric: a share as a percentage, everything else unchanged, with one decimal where needed. */
export function formatMetric(metric: WithUnit, value: number | null): string {
  if (value === null) return unknown
  const shown = convertToUnits(metric, value)
  return metric.unit === 'count' && Number.isInteger(shown) ? String(shown) : shown.toFixed(1)
}

/** Converts a value to its printed unit, which is percent for shares. */
export function convertToUnits({ unit }: WithUnit, value: number): number {
  return unit === 'share' ? 100 * value : value
}

/** Formats a difference with its sign. */
export function formatSigned(metric: WithUnit, value: number | null): string {
  if (value === null) return unknown
  const text = convertToUnits(metric, value).toFixed(1)
  return Number(text) > 0 ? `+${text}` : text === '-0.0' ? '0.0' : text
}

/** Counts tasks and the groups of those that share documents: `16 tasks, 6 groups`. */
export function sampleText(tasks: number, groups: number): string {
  return `${countText(tasks, 'task')}, ${countText(groups, 'group')}`
}

/** Formats a count with its noun: `1 task`, `1,200 attempts`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** A mean with what is known about it. */
export interface Measurement {
  readonly mean: number | null
  readonly low?: number | null
  readonly high?: number | null
  readonly bounds?: { readonly low: number; readonly high: number } | null
  readonly unseenShare?: number
}

/** Marks an interval that is too narrow for its scores. */
export const narrowMark = '*'

/**
 * Explains the mark of intervals that are too narrow for their scores. Empty when there are none.
 *
 * @param measurements - Everything that is printed. Only those with an `unseenShare` have the mark.
 */
export function listNarrowRemarks(measurements: readonly { readonly unseenShare?: number }[]): string[] {
  const shares = measurements.flatMap(({ unseenShare = null }) => unseenShare ?? [])
  if (shares.length === 0) return []
  return [
    `${narrowMark} Interval too narrow for such scores: at least 80% of the groups are within 10 points of one end of the scale. Up to ${Math.ceil(100 * Math.max(...shares))}% of all such groups could have scores at the other end without any being in this run.`,
  ]
}

/** Formats a mean, or both of its bounds when a judge did not rate all items: `25.0–100.0`. */
export function meanText(metric: WithUnit, { mean, bounds = null }: Measurement): string {
  if (bounds === null) return formatMetric(metric, mean)
  return `${formatMetric(metric, bounds.low)}–${formatMetric(metric, bounds.high)}`
}

/** Returns the head of a metric's column. Companion metrics are in lower case, except names such as `ROUGE-L` or `StrucText`. */
export function formatMetricHead({ label, role }: MetricDefinition): string {
  const isName = role === 'score' || /^.(?:-|\S*\p{Lu})/u.test(label)
  return isName ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`
}

/** Longer words of a narrow head are cut. */
const maxWordChars = 8

/** Shortens the long words of a head: `schema prec.` */
export function shortenHead(head: string): string {
  return head.replace(/[\p{L}\d]+/gu, word => (word.length > maxWordChars ? `${word.slice(0, 4)}.` : word))
}

/** Breaks a head at its first space into two lines. */
export function breakHead(head: string): string {
  return head.replace(' ', '\n')
}
