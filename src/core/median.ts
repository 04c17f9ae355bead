/** Returns the middle value, or the mean of the two middle values; null without values. */
export function findMedian(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  if (upper === undefined) return null
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2
}
