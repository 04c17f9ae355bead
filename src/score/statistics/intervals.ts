import { type ClusteredValue, clustersOf } from './clusters.ts'
import { type ComponentMean, componentMean } from './component-mean.ts'
import { studentT95 } from './student-t.ts'

/** With fewer components, no interval and no p-value are computed. */
export const minComponents = 5

/** A mean with its 95% interval. */
export interface MeanInterval {
  readonly mean: number
  /** The ends of the interval. Null for fewer than five components, or when the spread cannot be estimated. */
  readonly low: number | null
  readonly high: number | null
  /** The number of components: the independent units. */
  readonly components: number
}

/** The least and the greatest possible value of a metric. Null when there is none. */
export type Range = readonly [number | null, number | null]

const shares: Range = [0, 1]

/** The mean over clusters with its interval, with the values of a cluster averaged first. Null for no values. */
export function meanInterval(values: readonly ClusteredValue[], range: Range): MeanInterval | null {
  return meanOfStrata([values], range)
}

/**
 * The mean of the strata's means over clusters, with its interval. A component may have tasks in several strata.
 *
 * @returns null for no values
 */
export function meanOfStrata(
  strata: readonly (readonly ClusteredValue[])[],
  range: Range,
): MeanInterval | null {
  const parts = strata.flatMap((values, at) =>
    clustersOf(values).map(({ component, mean }) => ({
      ...{ component, stratum: String(at) },
      part: mean,
      whole: 1,
    })),
  )
  const values = strata.flat().map(({ value }) => value)
  const isRate = range[0] === 0 && range[1] === 1 && values.every(value => value === 0 || value === 1)
  const found = componentMean(parts)
  return found === null ? null : intervalOf(found, { range, tries: isRate ? values.length : null })
}

/**
 * The mean of differences over clusters with its interval. The interval is also null when the components do not differ,
 * because equal differences say nothing about how much others would differ.
 *
 * @param range of the metric; a difference is at most as large as the range is wide
 */
export function differenceInterval(
  differences: readonly ClusteredValue[],
  [least, most]: Range,
): MeanInterval | null {
  const parts = clustersOf(differences).map(({ component, mean }) => ({
    ...{ component, stratum: '' },
    ...{ part: mean, whole: 1 },
  }))
  const found = componentMean(parts)
  if (found === null) return null
  const { mean, components, variance } = found
  if (variance === null || isZero(variance, mean)) return { mean, low: null, high: null, components }
  const width = least === null || most === null ? null : most - least
  return intervalOf(found, { range: width === null ? [null, null] : [-width, width], tries: null })
}

/** A part of a whole that belongs to a component. */
export interface ClusteredPart {
  readonly component: string
  readonly part: number
  readonly whole: number
}

/** The sum of the parts over the sum of the wholes, with its interval. Null when the wholes sum to 0. */
export function ratioInterval(parts: readonly ClusteredPart[]): MeanInterval | null {
  const found = componentMean(parts.map(part => ({ ...part, stratum: '' })))
  return found === null ? null : intervalOf(found, { range: shares, tries: null })
}

interface Scale {
  readonly range: Range
  /** For a rate: the number of its zeros and ones. Null for other means. */
  readonly tries: number | null
}

function intervalOf(found: ComponentMean, scale: Scale): MeanInterval {
  const { mean, components, variance } = found
  const unknown = { mean, low: null, high: null, components }
  if (components < minComponents || variance === null) return unknown
  const [least, most] = scale.range
  if (least === null || most === null) {
    if (isZero(variance, mean)) return unknown
    const margin = studentT95(found.df) * Math.sqrt(variance)
    return {
      ...{ mean, components },
      low: Math.max(mean - margin, least ?? Number.NEGATIVE_INFINITY),
      high: Math.min(mean + margin, most ?? Number.POSITIVE_INFINITY),
    }
  }
  const width = most - least
  const within = { ...found, mean: (mean - least) / width, variance: variance / width ** 2 }
  const [low, high] = shareInterval(within, within.variance, scale.tries)
  return { mean, low: least + width * low, high: least + width * high, components }
}

// Sums of the same numbers in another order differ in the last bits.
function isZero(variance: number, mean: number): boolean {
  return variance <= (1e-12 * Math.max(1, Math.abs(mean))) ** 2
}

/**
 * The interval of a mean of values between 0 and 1: Wilson's for the number of independent tries with the same variance,
 * with Student's t in place of the normal quantile. A rate cannot have more tries than values. Without any spread between
 * the components, each counts as one try.
 */
function shareInterval(found: ComponentMean, variance: number, tries: number | null): [number, number] {
  const { mean, df, effectiveComponents } = found
  if (isZero(variance, mean) || mean <= 0 || mean >= 1) return wilson(mean, effectiveComponents, 1.959964)
  const equivalentTries = (mean * (1 - mean)) / variance
  return wilson(mean, Math.min(tries ?? Number.POSITIVE_INFINITY, equivalentTries), studentT95(df))
}

/** Wilson's interval of a rate over n tries. */
function wilson(rate: number, n: number, z: number): [number, number] {
  const center = (rate + z ** 2 / (2 * n)) / (1 + z ** 2 / n)
  const margin = (z / (1 + z ** 2 / n)) * Math.sqrt((rate * (1 - rate)) / n + z ** 2 / (4 * n ** 2))
  return [Math.max(0, Math.min(rate, center - margin)), Math.min(1, Math.max(rate, center + margin))]
}
