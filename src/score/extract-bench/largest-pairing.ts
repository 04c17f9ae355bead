/**
 * The largest one-to-one pairing (augmenting paths).
 *
 * @param allowed by left, then by right
 * @returns the left of each paired right
 */
export function largestPairing(allowed: readonly (readonly boolean[])[]): ReadonlyMap<number, number> {
  const leftOf = new Map<number, number>()
  for (const left of allowed.keys()) augment(allowed, left, leftOf, new Set())
  return leftOf
}

function augment(
  allowed: readonly (readonly boolean[])[],
  left: number,
  leftOf: Map<number, number>,
  tried: Set<number>,
): boolean {
  for (const [right, isAllowed] of allowed[left]!.entries()) {
    if (!isAllowed || tried.has(right)) continue
    tried.add(right)
    const holder = leftOf.get(right)
    if (holder !== undefined && !augment(allowed, holder, leftOf, tried)) continue
    leftOf.set(right, left)
    return true
  }
  return false
}
