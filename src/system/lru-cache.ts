/**
 * Returns a cache: a function that returns the value of a key, and makes it when the cache does not contain it.
 *
 * When the values weigh more than `most` together, the least recently used ones are dropped. The value that was just asked
 * for is always kept. A value weighs 1 by default; a function computes the weight from the value.
 */
export function lruCache<T, K = string>(
  most: number,
): (key: K, make: () => T, weight?: number | ((value: T) => number)) => T {
  const entries = new Map<K, { readonly value: T; readonly weight: number }>()
  let totalWeight = 0
  const makeEntry = (make: () => T, weight: number | ((value: T) => number)) => {
    const value = make()
    return { value, weight: typeof weight === 'number' ? weight : weight(value) }
  }
  return (key, make, weight = 1) => {
    const cached = entries.get(key)
    const entry = cached ?? makeEntry(make, weight)
    if (cached === undefined) totalWeight += entry.weight
    entries.delete(key)
    entries.set(key, entry)
    for (const [oldest, { weight: freed }] of entries) {
      if (totalWeight <= most || oldest === key) break
      entries.delete(oldest)
      totalWeight -= freed
    }
    return entry.value
  }
}
