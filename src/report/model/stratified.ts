import { seededRandom } from '../../core/runtime.ts'
import { bootstrapResamples, type MeanInterval } from '../../score/statistics/bootstrap.ts'
import { type ClusteredValue, clusterMeans, meanOf, quantileOf } from '../../score/statistics/clusters.ts'

/**
 * Computes the mean of the domains' means with a bootstrap 95% interval that resamples tasks within each domain.
 *
 * @returns null for no values. `low` and `high` are null when no domain has two tasks.
 */
export function bootstrapMeanOfDomains(
  domains: readonly (readonly ClusteredValue[])[],
  seed: number,
): MeanInterval | null {
  const strata = domains.map(values => [...clusterMeans(values).values()]).filter(values => values.length > 0)
  if (strata.length === 0) return null
  const center = meanOf(strata.map(meanOf))
  if (strata.every(values => values.length < 2)) return { mean: center, low: null, high: null }
  const random = seededRandom(seed)
  const resampled = new Float64Array(bootstrapResamples)
  for (let round = 0; round < bootstrapResamples; round++) {
    let total = 0
    for (const values of strata) {
      let sum = 0
      for (let draw = 0; draw < values.length; draw++) sum += values[Math.floor(random() * values.length)]!
      total += sum / values.length
    }
    resampled[round] = total / strata.length
  }
  resampled.sort()
  return { mean: center, low: quantileOf(resampled, 0.025), high: quantileOf(resampled, 0.975) }
}
