/** Precision, recall and their harmonic mean. */
export interface Overlap {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** Computes precision, recall and F1 from counts. A share of nothing is 0. */
export function measureOverlap(common: number, predicted: number, gold: number): Overlap {
  const precision = predicted > 0 ? common / predicted : 0
  const recall = gold > 0 ? common / gold : 0
  return { precision, recall, f1: computeF1(precision, recall) }
}

/** Computes the harmonic mean of precision and recall; 0 when both are 0. */
export function computeF1(precision: number, recall: number): number {
  return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
}

/** The metrics of a table whose items and whole rows are compared. */
export function makeItemAndRowMetrics(item: Overlap, row: Overlap) {
  return {
    itemF1: item.f1,
    itemPrecision: item.precision,
    itemRecall: item.recall,
    rowF1: row.f1,
    rowPrecision: row.precision,
    rowRecall: row.recall,
  }
}

/** Counts the elements that two lists share, each as often as both have it. */
export function countCommon(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const element of left) counts.set(element, (counts.get(element) ?? 0) + 1)
  let common = 0
  for (const element of right) {
    const count = counts.get(element) ?? 0
    if (count > 0) common += 1
    counts.set(element, count - 1)
  }
  return common
}

/** Numbers the elements of two lists, equal elements alike, for comparisons of sequences. */
export function numberElements(
  left: readonly string[],
  right: readonly string[],
): readonly [left: number[], right: number[]] {
  const numbers = new Map<string, number>()
  const numbered = (elements: readonly string[]): number[] =>
    elements.map(element => {
      const number = numbers.get(element) ?? numbers.size
      numbers.set(element, number)
      return number
    })
  return [numbered(left), numbered(right)]
}
