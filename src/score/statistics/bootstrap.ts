import { seededRandom } from '../../core/runtime.ts'
import { type ClusteredValue, clusterMeans, meanOf, quantileOf } from './clusters.ts'

export const bootstrapResamples = 2000

/** A mean with its 95% interval; the interval is null where one cluster alone gives no spread. */
export interface MeanInterval {
  readonly mean: number
  readonly low: number | null
  readonly high: number | null
}

/**
 * The mean over clusters (values of one cluster are averaged first) with a percentile bootstrap 95% interval
 * that resamples whole clusters. The same values and seed give the same interval. Null for no values.
 */
export function bootstrapMean(values: readonly ClusteredValue[], seed: number): MeanInterval | null {
  const means = [...clusterMeans(values).values()]
  if (means.length === 0) return null
  return { mean: meanOf(means), ...bootstrapInterval(means, seed) }
}

/** The percentile bootstrap 95% interval of the mean of independent values. */
export function bootstrapInterval(
  values: readonly number[],
  seed: number,
): { low: number | null; high: number | null } {
  if (values.length < 2) return { low: null, high: null }
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
