import { type ClusteredValue, groupClusters } from './clusters.ts'
import {
  type ComponentMean,
  type ComponentPart,
  computeComponentMean,
  listComponentRatios,
} from './component-mean.ts'
import { studentT } from './student-t.ts'
import { computeShareNearEnd, computeUnseenShare, type Margins, type Range } from './unseen-share.ts'

/** With fewer components, no interval and no p-value are computed. */
export const minComponents = 5

/** The ends of an interval. Null for fewer than five components, or when the spread cannot be estimated. */
export interface Interval {
  readonly low: number | null
  readonly high: number | null
}

/** A mean with its 95% interval. */
export interface MeanInterval extends Interval {
  readonly mean: number
  /** The number of components: the independent units. */
  readonly components: number
  /** Present when the interval is too narrow for such scores (see `computeUnseenShare`). */
  readonly unseenShare?: number
}

const shares: Range = [0, 1]

/** The mean over clusters with its interval, with the values of a cluster averaged first. Null for no values. */
export function computeMeanInterval(values: readonly ClusteredValue[], range: Range): MeanInterval | null {
  return computeStrataInterval([values], range)
}

/**
 * The mean of the strata's means over clusters, with its interval. A component may have tasks in several strata.
 *
 * @returns null for no values
 */
export function computeStrataInterval(
  strata: readonly (readonly ClusteredValue[])[],
  range: Range,
): MeanInterval | null {
  const parts = strata.flatMap((values, at) => listClusterParts(values, String(at)))
  const values = strata.flat().map(({ value }) => value)
  return computePartsInterval(parts, range, isRate(values, range) ? values.length : null)
}

/** Makes each cluster a part, so that all count equally. */
export function listClusterParts(values: readonly ClusteredValue[], stratum = ''): ComponentPart[] {
  return groupClusters(values).map(({ component, mean }) => ({ component, stratum, part: mean, whole: 1 }))
}

/** Whether the values are zeros and ones on a scale from 0 to 1. */
export function isRate(values: readonly number[], [least, most]: Range): boolean {
  return least === 0 && most === 1 && values.every(value => value === 0 || value === 1)
}

/**
 * The interval of a mean of differences over components. It is null when the components do not differ, because equal
 * differences say nothing about how much others would differ.
 *
 * @param range - Of the metric. A difference is at most as large as the range is wide.
 * @param outside - The share of campaigns whose interval may miss the difference.
 */
export function computeDifferenceInterval(
  estimate: ComponentMean,
  [least, most]: Range,
  outside = 0.05,
): Interval {
  if (!hasSpread(estimate)) return { low: null, high: null }
  const width = least === null || most === null ? null : most - least
  return computeInterval(estimate, width === null ? [null, null] : [-width, width], { outside })
}

/** Whether the components differ, so that the estimate has a variance. */
export function hasSpread({ variance, mean }: ComponentMean): boolean {
  return variance !== null && !isZero(variance, mean)
}

/** A part of a whole that belongs to a component. */
export interface ClusteredPart {
  readonly component: string
  readonly part: number
  readonly whole: number
}

/** The sum of the parts over the sum of the wholes, with its interval. Null when the wholes sum to 0. */
export function computeRatioInterval(parts: readonly ClusteredPart[]): MeanInterval | null {
  return computePartsInterval(
    parts.map(part => ({ ...part, stratum: '' })),
    shares,
    null,
  )
}

/**
 * @param tries - For a rate: the number of its zeros and ones. Null for other means.
 */
function computePartsInterval(
  parts: readonly ComponentPart[],
  range: Range,
  tries: number | null,
): MeanInterval | null {
  const estimate = computeComponentMean(parts)
  if (estimate === null) return null
  const { mean, components } = estimate
  const means = listComponentRatios(parts)
  const prior = tries === null ? endPrior * computeShareNearEnd(means, range) : 0
  const interval = computeInterval(estimate, range, { tries, prior })
  const needsNoUnseenShare = interval.low === null || tries !== null || !hasSpread(estimate)
  const unseen = needsNoUnseenShare
    ? null
    : computeUnseenShare(means, computeMargins({ mean, ...interval }), range)
  return { mean, ...interval, components, ...(unseen === null ? {} : { unseenShare: unseen }) }
}

/** The distances from a mean to the ends of its interval; 0 without one. */
export function computeMargins({ mean, low, high }: Interval & { readonly mean: number }): Margins {
  return low === null || high === null ? { down: 0, up: 0 } : { down: mean - low, up: high - mean }
}

interface IntervalChoice {
  /** For a rate: the number of its zeros and ones, which are the most tries that it can have. */
  readonly tries?: number | null
  /** The weight of the greatest possible variance, in components. */
  readonly prior?: number
  readonly outside?: number
}

/**
 * The variance of a mean is drawn towards the greatest possible one, which counts as half a component when all components
 * are near one end of the scale. Few such components often show too little of the spread
 * (docs/decisions/0028-variance-near-the-ends.md).
 */
const endPrior = 0.5

function computeInterval(estimate: ComponentMean, [least, most]: Range, choice: IntervalChoice): Interval {
  const { mean, components, variance, df } = estimate
  if (components < minComponents || variance === null) return { low: null, high: null }
  if (least === null || most === null) {
    if (isZero(variance, mean)) return { low: null, high: null }
    const margin = studentT(df, choice.outside) * Math.sqrt(variance)
    return {
      low: Math.max(mean - margin, least ?? Number.NEGATIVE_INFINITY),
      high: Math.min(mean + margin, most ?? Number.POSITIVE_INFINITY),
    }
  }
  const width = most - least
  const { effectiveComponents, strata } = estimate
  const greatest = strata.reduce((sum, { ratio, size }) => sum + ((ratio - least) * (most - ratio)) / size, 0)
  const prior = isZero(variance, mean) ? 0 : (choice.prior ?? 0)
  const drawn =
    (effectiveComponents * variance + (prior * greatest) / strata.length ** 2) / (effectiveComponents + prior)
  const within = { ...estimate, mean: (mean - least) / width, variance: drawn / width ** 2 }
  const [low, high] = computeShareInterval(within, within.variance, choice)
  return { low: least + width * low, high: least + width * high }
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
function computeShareInterval(
  { mean, df, effectiveComponents }: ComponentMean,
  variance: number,
  { tries, outside }: IntervalChoice,
): [number, number] {
  if (isZero(variance, mean) || mean <= 0 || mean >= 1) return wilson(mean, effectiveComponents, 1.959964)
  const equivalentTries = (mean * (1 - mean)) / variance
  return wilson(mean, Math.min(tries ?? Number.POSITIVE_INFINITY, equivalentTries), studentT(df, outside))
}

/** Wilson's interval of a rate over n tries. */
function wilson(rate: number, n: number, z: number): [number, number] {
  const center = (rate + z ** 2 / (2 * n)) / (1 + z ** 2 / n)
  const margin = (z / (1 + z ** 2 / n)) * Math.sqrt((rate * (1 - rate)) / n + z ** 2 / (4 * n ** 2))
  return [Math.max(0, Math.min(rate, center - margin)), Math.min(1, Math.max(rate, center + margin))]
}
