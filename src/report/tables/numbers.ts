import type { Measure } from '../model/report-group.ts'

/** Stands for an unknown value in every table. */
export const unknown = '–'

/** Formats a share as a percentage with one decimal. */
export function percent(share: number | null): string {
  return share === null ? unknown : (100 * share).toFixed(1)
}

/** Formats a share with its interval, in percent: `45.3 [38.1, 52.0]`. */
export function withInterval(measure: Pick<Measure, 'mean' | 'low' | 'high'>): string {
  const { mean, low, high } = measure
  return low === null || high === null
    ? percent(mean)
    : `${percent(mean)} [${percent(low)}, ${percent(high)}]`
}

/** Formats a count, with a unit when it is large: 950, 12.3k, 4.0m. */
export function compactCount(count: number | null): string {
  if (count === null) return unknown
  if (count >= 999_500) return `${(count / 1e6).toFixed(1)}m`
  if (count >= 1000) return `${(count / 1000).toFixed(count < 99_950 ? 1 : 0)}k`
  return count.toFixed(Number.isInteger(count) || count >= 100 ? 0 : 1)
}

/** Formats milliseconds as seconds: 12.5, 140. */
export function seconds(ms: number | null): string {
  if (ms === null) return unknown
  return ms < 100_000 ? (ms / 1000).toFixed(1) : (ms / 1000).toFixed(0)
}

/** Formats milliseconds as seconds with up to three decimals: 0.004, 1.25, 12.5. */
export function fineSeconds(ms: number | null): string {
  if (ms === null || ms >= 10_000) return seconds(ms)
  return (ms / 1000).toFixed(ms >= 1000 ? 2 : 3)
}

/** Formats an amount of US dollars: 0, <0.0001, 0.0123, 4.56. */
export function dollars(usd: number | null): string {
  if (usd === null) return unknown
  if (usd === 0) return '0'
  return usd < 0.0001 ? '<0.0001' : usd.toFixed(usd < 0.1 ? 4 : 2)
}

/** Formats a p-value: 0.042, <0.001. Null, for fewer than five components, is unknown. */
export function pText(pValue: number | null): string {
  if (pValue === null) return unknown
  return pValue < 0.001 ? '<0.001' : pValue.toFixed(3)
}
