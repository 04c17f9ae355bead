/** One measured value. Values of one cluster, such as a task's trials, are not independent. */
export interface ClusteredValue {
  readonly cluster: string
  readonly value: number
}

/** The mean of each cluster, in order of first appearance. */
export function clusterMeans(values: readonly ClusteredValue[]): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const { cluster, value } of values) {
    const entry = sums.get(cluster)
    if (entry === undefined) sums.set(cluster, { sum: value, count: 1 })
    else {
      entry.sum += value
      entry.count += 1
    }
  }
  return new Map([...sums].map(([cluster, { sum, count }]) => [cluster, sum / count]))
}

/** Arithmetic mean; NaN for an empty list. */
export function meanOf(values: readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

/** The p-quantile (0 to 1) of ascending values, interpolated linearly. */
export function quantileOf(sorted: ArrayLike<number>, p: number): number {
  const position = (sorted.length - 1) * p
  const below = Math.floor(position)
  const lower = sorted[below] ?? Number.NaN
  const upper = sorted[Math.min(below + 1, sorted.length - 1)] ?? Number.NaN
  return lower + (upper - lower) * (position - below)
}
