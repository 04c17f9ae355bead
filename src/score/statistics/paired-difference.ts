import { seededRandom } from '../../core/runtime.ts'
import { type ClusteredValue, computeClusterMeans, groupClusters } from './clusters.ts'
import { type ComponentMean, computeComponentMean, listComponentRatios } from './component-mean.ts'
import {
  computeDifferenceInterval,
  computeMargins,
  isRate,
  listClusterParts,
  type MeanInterval,
  minComponents,
} from './intervals.ts'
import { computeUnseenShare, type Margins, type Range } from './unseen-share.ts'

/** The same records always produce the same p-values. */
const permutationSeed = 20_250_716
const permutations = 9999
/** Up to this many components, every combination of signs is tried and the p-value is exact. */
const exactComponents = 13

/** A mean difference with its interval and p-value. */
export interface PairedDifference extends MeanInterval {
  /**
   * The two-sided p-value of the sign-flip permutation test; 1 when all pairs are equal. Null for fewer than five
   * components.
   */
  readonly pValue: number | null
  /** The number of clusters on both sides; the others are left out. */
  readonly n: number
  /** The estimate that the interval is made from. */
  readonly estimate: ComponentMean
}

/**
 * The difference `to` - `from`, paired by cluster, with the values of a cluster averaged first. It has its mean, its 95%
 * interval, and the p-value of a permutation test that flips the signs of whole components. Null when no cluster is on
 * both sides.
 *
 * @param range of the metric
 */
export function computePairedDifference(
  from: readonly ClusteredValue[],
  to: readonly ClusteredValue[],
  range: Range,
): PairedDifference | null {
  const differences = pairClusters(from, to)
  const estimate = computeComponentMean(listClusterParts(differences))
  if (estimate === null) return null
  const { mean, components } = estimate
  const interval = computeDifferenceInterval(estimate, range)
  const componentSums = new Map<string, number>()
  for (const { cluster, component = cluster, value } of differences)
    componentSums.set(component, (componentSums.get(component) ?? 0) + value)
  const paired = new Set(differences.map(({ cluster }) => cluster))
  const arms = [from, to].map(values => values.filter(({ cluster }) => paired.has(cluster)))
  const pValue = components < minComponents ? null : computeSignFlipPValue([...componentSums.values()])
  const needsNoUnseenShare =
    pValue === null ||
    pValue === 1 ||
    isRate(
      arms.flat().map(({ value }) => value),
      range,
    )
  const unseen = needsNoUnseenShare
    ? null
    : computeUnseenInArms(arms, computeMargins({ mean, ...interval }), range)
  return {
    mean,
    ...interval,
    components,
    pValue,
    n: differences.length,
    estimate,
    ...(unseen === null ? {} : { unseenShare: unseen }),
  }
}

/** Finds out whether unseen scores of one arm could move a difference out of its interval. */
function computeUnseenInArms(
  [from, to]: readonly (readonly ClusteredValue[])[],
  { down, up }: Margins,
  range: Range,
): number | null {
  const shares = [
    computeUnseenShare(listComponentRatios(listClusterParts(to!)), { down, up }, range),
    // Higher scores of the first arm make the difference smaller.
    computeUnseenShare(listComponentRatios(listClusterParts(from!)), { down: up, up: down }, range),
  ].filter(share => share !== null)
  return shares.length === 0 ? null : Math.max(...shares)
}

/** The difference `to` - `from` of each cluster on both sides, with the values of a cluster averaged first. */
export function pairClusters(
  from: readonly ClusteredValue[],
  to: readonly ClusteredValue[],
): ClusteredValue[] {
  const base = computeClusterMeans(from)
  return groupClusters(to).flatMap(({ cluster, component, mean }): ClusteredValue[] => {
    const other = base.get(cluster)
    return other === undefined ? [] : [{ cluster, component, value: mean - other }]
  })
}

/** The least p-value that a permutation test over so many components can have. */
export function computeLeastPValue(components: number): number {
  return components <= exactComponents ? 2 ** (1 - components) : 1 / (permutations + 1)
}

/** The two-sided p-value of the sum under random flips of each component's sign. */
function computeSignFlipPValue(differences: readonly number[]): number {
  const size = differences.reduce((sum, difference) => sum + Math.abs(difference), 0)
  // Sums of the same numbers in another order differ in the last bits, but count as equal.
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0)) - size * 1e-12
  return differences.length <= exactComponents
    ? computeExactPValue(differences, observed)
    : computeSampledPValue(differences, observed)
}

function computeExactPValue(differences: readonly number[], observed: number): number {
  const patterns = 2 ** differences.length
  let extreme = 0
  for (let pattern = 0; pattern < patterns; pattern += 1) {
    let sum = 0
    for (let i = 0; i < differences.length; i += 1) {
      sum += (pattern >> i) & 1 ? -differences[i]! : differences[i]!
    }
    if (Math.abs(sum) >= observed) extreme += 1
  }
  return extreme / patterns
}

function computeSampledPValue(differences: readonly number[], observed: number): number {
  const random = seededRandom(permutationSeed)
  let extreme = 1
  for (let round = 0; round < permutations; round += 1) {
    let sum = 0
    for (const difference of differences) sum += random() < 0.5 ? -difference : difference
    if (Math.abs(sum) >= observed) extreme += 1
  }
  return extreme / (permutations + 1)
}
