/**
 * Values by key, made when first asked for; where they weigh more than `most` together, those that were unused longest go.
 * The value just asked for always stays. A value weighs 1 unless told otherwise.
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
