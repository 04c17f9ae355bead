/** Two lists, and which of their members may be paired. */
interface Pairing {
  readonly lefts: number
  readonly rights: number
  /** Asked at most once for each pair, and only for pairs that the search reaches. */
  isAllowed(left: number, right: number): boolean
}

/**
 * The largest one-to-one pairing of two lists, by augmenting paths.
 *
 * @returns the left of each paired right
 */
export function findLargestPairing({ lefts, rights, isAllowed }: Pairing): ReadonlyMap<number, number> {
  // 0: not asked yet, 1: allowed, 2: not allowed.
  const verdicts = new Uint8Array(lefts * rights)
  const leftOf = new Map<number, number>()
  const canPair = (left: number, right: number): boolean => {
    const place = left * rights + right
    if (verdicts[place] === 0) verdicts[place] = isAllowed(left, right) ? 1 : 2
    return verdicts[place] === 1
  }
  const augment = (left: number, tried: Set<number>): boolean => {
    for (let right = 0; right < rights; right += 1) {
      if (tried.has(right) || !canPair(left, right)) continue
      tried.add(right)
      const holder = leftOf.get(right)
      if (holder !== undefined && !augment(holder, tried)) continue
      leftOf.set(right, left)
      return true
    }
    return false
  }
  for (let left = 0; left < lefts; left += 1) augment(left, new Set())
  return leftOf
}
