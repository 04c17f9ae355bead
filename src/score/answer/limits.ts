/** Larger answers are not read, so that no answer takes unbounded time or memory. The message names the limit. */
export const answerLimits = {
  /** UTF-16 units of the whole answer. */
  chars: 50_000_000,
  rows: 100_000,
  columns: 2_000,
  cells: 2_000_000,
} as const

/** The limits of a JSON answer. */
export const extractionLimits = {
  values: 200_000,
  /** In one list: each item is compared with each gold item. */
  items: 5_000,
  textChars: 1_000_000,
  depth: 200,
} as const
