/**
 * Takes pairs in order, each only when no pair before it has one of its members.
 *
 * @param membersOf returns the member of a pair on either side
 */
export function pairGreedily<T>(
  pairs: readonly T[],
  membersOf: (pair: T) => readonly [left: unknown, right: unknown],
): T[] {
  const [lefts, rights] = [new Set<unknown>(), new Set<unknown>()]
  return pairs.filter(pair => {
    const [left, right] = membersOf(pair)
    if (lefts.has(left) || rights.has(right)) return false
    lefts.add(left)
    rights.add(right)
    return true
  })
}
