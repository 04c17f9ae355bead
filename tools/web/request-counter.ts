/** Creates a counter that returns how often each key was seen before. */
export function createCounter(): (key: string) => number {
  const seen = new Map<string, number>()
  return key => {
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    return before
  }
}
