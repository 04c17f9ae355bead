import { seededRandom } from '../../core/runtime.ts'
import { type ClusteredValue, clusterMeans, meanOf, quantileOf } from './clusters.ts'

/** The number of resamples of every bootstrap interval. */
export const bootstrapResamples = 2000

/** A mean with its 95% interval. The interval is null for a single cluster. */
export interface MeanInterval {
  readonly mean: number
  readonly low: number | null
  readonly high: number | null
}

/**
 * The mean over clusters, with the values of a cluster averaged first, and a percentile bootstrap 95% interval that
 * resamples whole clusters. The same values and seed give the same interval. Null for no values.
 */
export function bootstrapMean(values: readonly ClusteredValue[], seed: number): MeanInterval | null {
  const means = [...clusterMeans(values).values()]
  if (means.length === 0) return null
  return { mean: meanOf(means), ...bootstrapInterval(means, seed) }
}

/** A part of a whole that belongs to a cluster. */
export interface ClusteredPart {
  readonly cluster: string
  readonly part: number
  readonly whole: number
}

/**
 * The sum of the parts over the sum of the wholes, with a percentile bootstrap 95% interval that resamples whole
 * clusters. Null when the wholes sum to 0.
 */
export function bootstrapRatio(parts: readonly ClusteredPart[], seed: number): MeanInterval | null {
  const sums = new Map<string, { part: number; whole: number }>()
  for (const { cluster, part, whole } of parts) {
    const sum = sums.get(cluster) ?? { part: 0, whole: 0 }
    sums.set(cluster, { part: sum.part + part, whole: sum.whole + whole })
  }
  const clusters = [...sums.values()]
  const rateOf = (drawn: readonly { part: number; whole: number }[]): number | null => {
    let [part, whole] = [0, 0]
    for (const one of drawn) {
      part += one.part
      whole += one.whole
    }
    return whole === 0 ? null : part / whole
  }
  const mean = rateOf(clusters)
  if (mean === null) return null
  if (clusters.length < 2) return { mean, low: null, high: null }
  const random = seededRandom(seed)
  const resampled: number[] = []
  for (let round = 0; round < bootstrapResamples; round += 1) {
    const drawn = clusters.map(() => clusters[Math.floor(random() * clusters.length)]!)
    const rate = rateOf(drawn)
    if (rate !== null) resampled.push(rate)
  }
  resampled.sort((a, b) => a - b)
  return { mean, low: quantileOf(resampled, 0.025), high: quantileOf(resampled, 0.975) }
}

/** The percentile bootstrap 95% interval of the mean of independent values. */
export function bootstrapInterval(
  values: readonly number[],
  seed: number,
): { low: number | null; high: number | null } {
  const [first] = values
  if (first === undefined || values.length < 2) return { low: null, high: null }
  // Every resample has the same mean.
  if (values.every(value => value === first)) return { low: first, high: first }
  const random = seededRandom(seed)
  const resampled = new Float64Array(bootstrapResamples)
  for (let round = 0; round < bootstrapResamples; round += 1) {
    let sum = 0
    for (let draw = 0; draw < values.length; draw += 1) {
      sum += values[Math.floor(random() * values.length)]!
    }
    resampled[round] = sum / values.length
  }
  resampled.sort()
  return { low: quantileOf(resampled, 0.025), high: quantileOf(resampled, 0.975) }
}
