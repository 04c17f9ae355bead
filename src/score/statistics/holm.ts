/**
 * Adjusts p-values for several tests by Holm's method: the k-th smallest of m is multiplied by m - k + 1, and no adjusted
 * value is smaller than that of a smaller p-value. Nulls are no tests and stay null.
 *
 * @returns adjusted p-values in the same order
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const tests = pValues.flatMap((pValue, at) => (pValue === null ? [] : [{ pValue, at }]))
  tests.sort((a, b) => a.pValue - b.pValue)
  const adjusted: (number | null)[] = pValues.map(() => null)
  let least = 0
  for (const [rank, { pValue, at }] of tests.entries()) {
    least = Math.max(least, Math.min(1, (tests.length - rank) * pValue))
    adjusted[at] = least
  }
  return adjusted
}
