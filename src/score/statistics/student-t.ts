const steps = 4000
const known = new Map<number, number>()

/**
 * Returns the number t for which 95% of Student's t distribution lies between -t and t. With x = sqrt(df) tan(angle),
 * the density of the angle is proportional to cos(angle)^(df - 1), which is integrated numerically.
 *
 * @param df degrees of freedom, not necessarily whole; fewer than 1 count as 1
 */
export function studentT95(df: number): number {
  const used = Math.max(1, df)
  const found = known.get(used) ?? quantile(used)
  known.set(used, found)
  return found
}

function quantile(df: number): number {
  // Beyond 12 standard deviations the density is negligible for large df.
  const end = df > 50 ? Math.atan(12 / Math.sqrt(df)) : Math.PI / 2
  const width = end / steps
  const densities = Array.from({ length: steps }, (_, at) => Math.cos((at + 0.5) * width) ** (df - 1))
  let left = 0.95 * densities.reduce((sum, density) => sum + density, 0)
  let at = 0
  while (left > densities[at]!) left -= densities[at++]!
  return Math.sqrt(df) * Math.tan((at + left / densities[at]!) * width)
}
