/** By which column rows are sorted, and in which direction. */
export interface SortOrder<Column> {
  readonly column: Column
  /** Whether great values come first. */
  readonly isDown: boolean
}

/** Numbers come before texts. Missing values come last in both directions. */
const ranks = { number: 0, string: 1, object: 2 } as const

/** Compares two values of a column for `toSorted`. */
export function compareValues(a: number | string | null, b: number | string | null, isDown: boolean): number {
  const sign = isDown ? -1 : 1
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
  if (typeof a === 'string' && typeof b === 'string') return sign * a.localeCompare(b)
  return ranks[typeof a as keyof typeof ranks] - ranks[typeof b as keyof typeof ranks]
}
