/** A part and its whole: the score of a task and 1, or the number of its passed fields and of all its fields. */
export interface ComponentPart {
  /** The independent unit that it belongs to (see `findTaskComponents`). */
  readonly component: string
  /** The stratum, such as a domain. The estimate is the mean of the strata's ratios. */
  readonly stratum: string
  readonly part: number
  readonly whole: number
}

/** A mean or ratio with its variance between components. */
export interface ComponentMean {
  readonly mean: number
  readonly components: number
  /** The variance of the mean. Null when it cannot be estimated: a stratum has only one component. */
  readonly variance: number | null
  /** Degrees of freedom of the variance. */
  readonly df: number
  /** The number of components that would be as informative if every stratum had equally many; at most `components`. */
  readonly effectiveComponents: number
  /** The ratio of each stratum, with the number of its components. */
  readonly strata: readonly { readonly ratio: number; readonly size: number }[]
}

/** Returns the ratio of the parts to the wholes for each component. */
export function listComponentRatios(parts: readonly ComponentPart[]): number[] {
  const [all] = groupStrata(parts.map(part => ({ ...part, stratum: '' })))
  return all === undefined ? [] : [...all.sums.values()].map(({ part, whole }) => part / whole)
}

interface Stratum {
  readonly ratio: number
  readonly whole: number
  /** Sums of part and whole by component. */
  readonly sums: ReadonlyMap<string, { readonly part: number; readonly whole: number }>
}

/**
 * Estimates the sum of the parts over the sum of the wholes, averaged over strata, with a cluster-robust variance. The
 * variance is the bias-reduced one of Bell and McCaffrey (CR2), and the degrees of freedom are Satterthwaite's for it, so
 * that few components and components of unequal sizes are accounted for.
 *
 * @returns null when there is no part, or when the wholes of all strata sum to 0
 */
export function computeComponentMean(parts: readonly ComponentPart[]): ComponentMean | null {
  const strata = groupStrata(parts)
  if (strata.length === 0) return null
  const components = new Set(strata.flatMap(({ sums }) => [...sums.keys()]))
  const mean = strata.reduce((sum, { ratio }) => sum + ratio, 0) / strata.length
  const perStratum = strata.reduce((sum, { sums }) => sum + 1 / sums.size, 0)
  const shared = {
    mean,
    components: components.size,
    // A component with tasks in several strata is still one independent unit.
    effectiveComponents: Math.min(components.size, strata.length ** 2 / perStratum),
    strata: strata.map(({ ratio, sums }) => ({ ratio, size: sums.size })),
  }
  if (strata.some(({ sums }) => sums.size < 2)) return { ...shared, variance: null, df: 0 }
  return { ...shared, ...computeRobustVariance(strata) }
}

function groupStrata(parts: readonly ComponentPart[]): Stratum[] {
  const byStratum = new Map<string, Map<string, { part: number; whole: number }>>()
  for (const { stratum, component, part, whole } of parts) {
    if (whole === 0) continue
    const sums = byStratum.get(stratum) ?? new Map<string, { part: number; whole: number }>()
    byStratum.set(stratum, sums)
    const sum = sums.get(component) ?? { part: 0, whole: 0 }
    sums.set(component, { part: sum.part + part, whole: sum.whole + whole })
  }
  return [...byStratum.values()].map(sums => {
    const all = [...sums.values()]
    const whole = all.reduce((sum, one) => sum + one.whole, 0)
    return { ratio: all.reduce((sum, one) => sum + one.part, 0) / whole, whole, sums }
  })
}

/**
 * The variance is the sum of squares u_g² over components g. With c_d = 1 / (number of strata x whole of stratum d),
 * u_g = sum over d of c_d (part_gd - ratio_d whole_gd) / sqrt(1 - whole_gd / whole_d). The degrees of freedom are
 * trace(C)² / |C|², where C is the covariance matrix of the u_g if all tasks were independent:
 * C = diag(e) - sum over d of v_d v_d'.
 */
function computeRobustVariance(strata: readonly Stratum[]): { variance: number; df: number } {
  const residuals = new Map<string, number>()
  const diagonal = new Map<string, number>()
  const vectors: Map<string, number>[] = []
  for (const { ratio, whole: all, sums } of strata) {
    const weight = 1 / (strata.length * all)
    const vector = new Map<string, number>()
    for (const [component, { part, whole }] of sums) {
      const scale = weight / Math.sqrt(1 - whole / all)
      add(residuals, component, scale * (part - ratio * whole))
      add(diagonal, component, scale ** 2 * whole)
      vector.set(component, (scale * whole) / Math.sqrt(all))
    }
    vectors.push(vector)
  }
  let variance = 0
  for (const residual of residuals.values()) variance += residual ** 2
  return { variance, df: computeDegreesOfFreedom(diagonal, vectors) }
}

function computeDegreesOfFreedom(
  diagonal: ReadonlyMap<string, number>,
  vectors: readonly ReadonlyMap<string, number>[],
): number {
  let trace = 0
  let squares = 0
  for (const value of diagonal.values()) {
    trace += value
    squares += value ** 2
  }
  for (const vector of vectors) {
    trace -= multiplyVectors(vector, vector)
    for (const [component, value] of vector) squares -= 2 * diagonal.get(component)! * value ** 2
    for (const other of vectors) squares += multiplyVectors(vector, other) ** 2
  }
  return trace ** 2 / squares
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value)
}

function multiplyVectors(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const [key, value] of a) sum += value * (b.get(key) ?? 0)
  return sum
}
