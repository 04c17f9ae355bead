import type { GoldValue } from '../core/gold.ts'

/** Whether a value is a JSON object, not a list and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Parses JSON. Returns null for an invalid text, so that the caller's schema reports what is expected. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns a text; an empty one for any other value. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the members of an object that have a value. Schemas of other programs refuse unknown members, and some refuse null. */
export function withoutNull<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], null> } {
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(present) as { [K in keyof T]: Exclude<T[K], null> }
}

/** Returns the values of a JSON document by their paths (`.lenders.0.name`), as one row. */
export function listJsonLeaves(value: unknown): Record<string, GoldValue> {
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
