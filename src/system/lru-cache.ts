/**
 * Returns a cache: a function that returns the value of a key, and makes it when the cache does not contain it.
 *
 * When the values weigh more than `most` together, the least recently used ones are dropped. The value that was just asked
 * for is always kept. A value weighs 1 by default.
 */
export function lruCache<T>(most: number): (key: string, make: () => T, weight?: number) => T {
  const kept = new Map<string, { readonly value: T; readonly weight: number }>()
  let held = 0
  return (key, make, weight = 1) => {
    const known = kept.get(key)
    const entry = known ?? { value: make(), weight }
    if (known === undefined) held += weight
    kept.delete(key)
    kept.set(key, entry)
    for (const [oldest, { weight: freed }] of kept) {
      if (held <= most || oldest === key) break
      kept.delete(oldest)
      held -= freed
    }
    return entry.value
  }
}
