import { computeMean } from './clusters.ts'

/** Pearson's r of paired values; null when undefined (fewer than two pairs, or one side constant). */
export function pearson(left: readonly number[], right: readonly number[]): number | null {
  if (left.length !== right.length) throw new RangeError('pearson: the two lists differ in length')
  if (left.length < 2) return null
  const leftMean = computeMean(left)
  const rightMean = computeMean(right)
  let covariance = 0
  let leftSquares = 0
  let rightSquares = 0
  for (const [i, value] of left.entries()) {
    const a = value - leftMean
    const b = right[i]! - rightMean
    covariance += a * b
    leftSquares += a * a
    rightSquares += b * b
  }
  if (isConstant(left) || isConstant(right)) return null
  return Math.max(-1, Math.min(1, covariance / Math.sqrt(leftSquares * rightSquares)))
}

/** Spearman's rho: Pearson's r of the ranks. Ties share their mean rank. */
export function spearman(left: readonly number[], right: readonly number[]): number | null {
  return pearson(rankValues(left), rankValues(right))
}

const isConstant = (values: readonly number[]): boolean => values.every(value => value === values[0])

/** 1-based ranks. Equal values share the mean of their ranks. */
function rankValues(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value)
  const ranks = new Array<number>(values.length).fill(0)
  let start = 0
  while (start < order.length) {
    let end = start
    while (end + 1 < order.length && order[end + 1]!.value === order[start]!.value) end += 1
    for (let i = start; i <= end; i += 1) ranks[order[i]!.index] = (start + end) / 2 + 1
    start = end + 1
  }
  return ranks
}

/** Cohen's kappa of two raters' labels for the same items; null for no items, or when chance agreement is 1. */
export function cohensKappa(left: readonly string[], right: readonly string[]): number | null {
  if (left.length !== right.length) throw new RangeError('cohensKappa: the two lists differ in length')
  const size = left.length
  if (size === 0) return null
  let agreed = 0
  const counts = new Map<string, { left: number; right: number }>()
  const countOf = (label: string): { left: number; right: number } => {
    const entry = counts.get(label) ?? { left: 0, right: 0 }
    counts.set(label, entry)
    return entry
  }
  for (const [i, label] of left.entries()) {
    if (label === right[i]) agreed += 1
    countOf(label).left += 1
    countOf(right[i]!).right += 1
  }
  let chance = 0
  for (const entry of counts.values()) chance += (entry.left / size) * (entry.right / size)
  return chance >= 1 ? null : (agreed / size - chance) / (1 - chance)
}
