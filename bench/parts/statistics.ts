/** Returns the median. @throws Error without values */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Returns the interpolated quantile: a `share` of the values is below it. @throws Error without values */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  if (low === undefined || high === undefined) throw new Error('no values to take a quantile of')
  return low + (high - low) * (place - Math.floor(place))
}

/**
 * Returns the exponent b of the power a x^b that fits the costs at three sizes best, by least squares of their logarithms.
 *
 * @param sizes each by the same factor larger than the one before, so that the costs at the ends alone decide
 */
export function growthExponent(sizes: readonly number[], costs: readonly number[]): number {
  return Math.log(costs.at(-1)! / costs[0]!) / Math.log(sizes.at(-1)! / sizes[0]!)
}
