import type { Range } from './intervals.ts'

/** Scores within this share of the scale from one of its ends are near the end: 10 points of 100. */
const nearEnd = 0.1
/** If so many components are near one end, the rare others decide the mean and the width of its interval. */
const mostNearEnd = 0.8
/** With this many components, intervals of such scores hold, and so do nearly all tests (see docs/statistics.md). */
const manyComponents = 60

/** The share of components near the end of the scale that has more of them. 0 for a scale without ends. */
export function shareNearEnd(means: readonly number[], [least, most]: Range): number {
  if (least === null || most === null) return 0
  const places = means.map(mean => (mean - least) / (most - least))
  const [low, high] = [places.filter(at => at <= nearEnd), places.filter(at => at >= 1 - nearEnd)]
  return Math.max(low.length, high.length) / means.length
}

/**
 * Finds out whether an interval is too narrow for its scores: few components, most of them near one end of the scale.
 * Scores far from that end are rare, so that campaigns often draw none or too few of them.
 *
 * @param arms - The means of the components, for each arm that the interval depends on.
 * @returns the share of components with such scores of which a campaign shows none with a probability of 2.5%. Empty for
 * intervals that can be trusted, and for scales without ends.
 */
export function unseenShare(
  arms: readonly (readonly number[])[],
  range: Range,
): { readonly unseenShare?: number } {
  const components = Math.min(...arms.map(means => means.length))
  const isCrowded = arms.some(means => shareNearEnd(means, range) >= mostNearEnd)
  if (components >= manyComponents || !isCrowded) return {}
  return { unseenShare: 1 - 0.025 ** (1 / components) }
}
