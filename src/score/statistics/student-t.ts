const stepCount = 20_000
const quantiles = new Map<string, number>()

/**
 * Returns the number t for which a share of Student's t distribution, 95% unless told otherwise, lies between -t and t.
 * With x = sqrt(df) tan(angle), the density of the angle is proportional to cos(angle)^(df - 1), which is integrated
 * numerically.
 *
 * @param df degrees of freedom, not necessarily whole; fewer than 1 count as 1
 * @param outside the share beyond -t and t together
 */
export function studentT(df: number, outside = 0.05): number {
  const degrees = Math.max(1, df)
  const key = `${degrees} ${outside}`
  const t = quantiles.get(key) ?? computeQuantile(degrees, outside)
  quantiles.set(key, t)
  return t
}

function computeQuantile(df: number, outside: number): number {
  // Beyond 12 standard deviations the density is negligible for large df.
  const end = df > 50 ? Math.atan(12 / Math.sqrt(df)) : Math.PI / 2
  const width = end / stepCount
  const densities = Array.from({ length: stepCount }, (_, at) => Math.cos((at + 0.5) * width) ** (df - 1))
  // Tails are summed from their ends, where the densities are smallest.
  let left = outside * densities.reduce((sum, density) => sum + density, 0)
  let at = stepCount - 1
  while (left > densities[at]!) left -= densities[at--]!
  return Math.sqrt(df) * Math.tan((at + 1 - left / densities[at]!) * width)
}
