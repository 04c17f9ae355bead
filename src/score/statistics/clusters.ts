/** One measured value. Values of one cluster, such as a task's trials, are averaged first. */
export interface ClusteredValue {
  readonly cluster: string
  readonly value: number
  /** The component of the cluster (see `findTaskComponents`). Absent when the cluster shares nothing with others. */
  readonly component?: string
}

/** A cluster with the mean of its values. */
export interface Cluster {
  readonly cluster: string
  readonly component: string
  readonly mean: number
  /** The number of its values. */
  readonly size: number
}

/** Averages the values of each cluster. Returns clusters in order of first appearance. */
export function groupClusters(values: readonly ClusteredValue[]): Cluster[] {
  const sums = new Map<string, { component: string; sum: number; size: number }>()
  for (const { cluster, value, component = cluster } of values) {
    const entry = sums.get(cluster)
    if (entry === undefined) sums.set(cluster, { component, sum: value, size: 1 })
    else {
      entry.sum += value
      entry.size += 1
    }
  }
  return [...sums].map(([cluster, { component, sum, size }]) => ({
    cluster,
    component,
    mean: sum / size,
    size,
  }))
}

/** The mean of each cluster, in order of first appearance. */
export function computeClusterMeans(values: readonly ClusteredValue[]): Map<string, number> {
  return new Map(groupClusters(values).map(({ cluster, mean }) => [cluster, mean]))
}

/** Arithmetic mean; NaN for an empty list. */
export function computeMean(values: readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

/** The mean of the known values; null when none is known. */
export function averageKnown(values: readonly (number | null)[]): number | null {
  const numbers = values.filter(value => value !== null)
  return numbers.length === 0 ? null : computeMean(numbers)
}
