import type { GoldValue } from './task.ts'

/** The values of a JSON document by their paths (`.lenders.0.name`), as one row. */
export function jsonLeaves(value: unknown): Record<string, GoldValue> {
  const leaves: [string, GoldValue][] = []
  const visit = (inner: unknown, path: string): void => {
    if (inner === null || ['string', 'number', 'boolean'].includes(typeof inner))
      leaves.push([path, inner as GoldValue])
    else if (typeof inner === 'object')
      for (const [key, child] of Object.entries(inner as object)) visit(child, `${path}.${key}`)
  }
  visit(value, '')
  return Object.fromEntries(leaves)
}
