/** How many pairs the largest one-to-one pairing has (augmenting paths); `allowed[left][right]`. */
export function largestPairing(allowed: readonly (readonly boolean[])[]): number {
  const leftOf = new Map<number, number>()
  let pairs = 0
  for (const left of allowed.keys()) if (augment(allowed, left, leftOf, new Set())) pairs += 1
  return pairs
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
