import type { GoldValue } from '../core/task.ts'

/** Whether a value is what JSON calls an object: no list, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The value that a text holds as JSON; null where it is no JSON, for whoever then says, by a schema, what was expected. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

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
