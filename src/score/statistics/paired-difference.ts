import { seededRandom } from '../../core/runtime.ts'
import { bootstrapInterval, type MeanInterval } from './bootstrap.ts'
import { type ClusteredValue, clusterMeans, meanOf } from './clusters.ts'

const permutations = 9999
/** Up to this many pairs, every combination of signs is tried and the p-value is exact. */
const exactPairs = 13

/** A mean difference with its interval and p-value. */
export interface PairedDifference extends MeanInterval {
  /** The two-sided p-value of the sign-flip permutation test; 1 when all pairs are equal. */
  readonly pValue: number
  /** The number of clusters on both sides; the others are left out. */
  readonly n: number
}

/**
 * The difference `to` - `from`, paired by cluster, with the values of a cluster averaged first. It has its
 * mean, its bootstrap 95% interval, and the p-value of a sign-flip permutation test. Null when no cluster is
 * on both sides.
 */
export function pairedDifference(
  from: readonly ClusteredValue[],
  to: readonly ClusteredValue[],
  seed: number,
): PairedDifference | null {
  const base = clusterMeans(from)
  const differences: number[] = []
  for (const [cluster, mean] of clusterMeans(to)) {
    const other = base.get(cluster)
    if (other !== undefined) differences.push(mean - other)
  }
  if (differences.length === 0) return null
  return {
    mean: meanOf(differences),
    ...bootstrapInterval(differences, seed),
    pValue: signFlipPValue(differences, seed),
    n: differences.length,
  }
}

/** The two-sided p-value of the mean under random flips of each difference's sign. */
function signFlipPValue(differences: readonly number[], seed: number): number {
  const size = differences.reduce((sum, difference) => sum + Math.abs(difference), 0)
  // Sums of the same numbers in another order differ in the last bits, but count as equal.
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0)) - size * 1e-12
  return differences.length <= exactPairs
    ? exactPValue(differences, observed)
    : sampledPValue(differences, observed, seed)
}

function exactPValue(differences: readonly number[], observed: number): number {
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

function sampledPValue(differences: readonly number[], observed: number, seed: number): number {
  const random = seededRandom(seed)
  let extreme = 1
  for (let round = 0; round < permutations; round += 1) {
    let sum = 0
    for (const difference of differences) sum += random() < 0.5 ? -difference : difference
    if (Math.abs(sum) >= observed) extreme += 1
  }
  return extreme / (permutations + 1)
}
