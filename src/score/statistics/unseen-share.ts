import { computeMean } from './clusters.ts'

/** The least and the greatest possible value of a metric. Null when there is none. */
export type Range = readonly [number | null, number | null]

/** Scores within this share of the scale from one of its ends are near the end: 10 points of 100. */
const nearEnd = 0.1
/** If so many components are near one end, the rare others decide the mean and the width of its interval. */
const mostNearEnd = 0.8

/** The end of the scale that has more components near it, with their share. */
interface CrowdedEnd {
  readonly share: number
  readonly isHigh: boolean
}

function findCrowdedEnd(means: readonly number[], [least, most]: Range): CrowdedEnd {
  if (least === null || most === null) return { share: 0, isHigh: false }
  const places = means.map(mean => (mean - least) / (most - least))
  const low = places.filter(at => at <= nearEnd).length
  const high = places.filter(at => at >= 1 - nearEnd).length
  return { share: Math.max(low, high) / means.length, isHigh: high > low }
}

/** The share of components near the end of the scale that has more of them. 0 for a scale without ends. */
export function computeShareNearEnd(means: readonly number[], range: Range): number {
  return findCrowdedEnd(means, range).share
}

/** The distances from an estimate to the ends of its interval. */
export interface Margins {
  readonly down: number
  readonly up: number
}

/**
 * Finds out whether an interval is too narrow for its scores: most components are near one end of the scale, and scores at
 * the other end that none of them shows could move the estimate out of the interval.
 *
 * @param means - Of the components of an arm.
 * @param margins - Of the estimate, which grows with the means.
 * @returns the share of components with such scores of which a campaign shows none with a probability of 2.5%; null for
 * an interval that can be trusted, and for a scale without ends
 */
export function computeUnseenShare(
  means: readonly number[],
  { down, up }: Margins,
  range: Range,
): number | null {
  const { share, isHigh } = findCrowdedEnd(means, range)
  if (share < mostNearEnd) return null
  const unseen = 1 - 0.025 ** (1 / means.length)
  const other = range[isHigh ? 0 : 1]!
  const shift = unseen * Math.abs(computeMean(means) - other)
  return shift > (isHigh ? down : up) ? unseen : null
}
