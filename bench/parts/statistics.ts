/** Returns the median. @throws Error without values */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Returns the interpolated quantile: a `share` of the values is below it. @throws Error without values */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)]
  const high = sorted[Math.ceil(place)]
  if (low === undefined || high === undefined) throw new Error('no values to take a quantile of')
  return low + (high - low) * (place - Math.floor(place))
}

/** Rounds to `digits` decimal places. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

/** Returns the exponent b of the power a x^b that fits the costs best by least squares of their logarithms. */
export function growthExponent(sizes: readonly number[], costs: readonly number[]): number {
  const [x, y] = [sizes.map(Math.log), costs.map(Math.log)]
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [middleX, middleY] = [mean(x), mean(y)]
  const shared = mean(x.map((size, at) => (size - middleX) * (y[at]! - middleY)))
  return shared / mean(x.map(size => (size - middleX) ** 2))
}
