/** The middle value, or the mean of the middle two; throws where there is none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which that share of the values lies, interpolated; throws where there is none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)]
  const high = sorted[Math.ceil(place)]
  if (low === undefined || high === undefined) throw new Error('no values to take a quantile of')
  return low + (high - low) * (place - Math.floor(place))
}

/** Rounded to so many digits after the point. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
