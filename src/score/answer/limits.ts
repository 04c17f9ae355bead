/** Beyond these an answer is refused by name instead of read, so that no answer takes unbounded time or memory. */
export const answerLimits = {
  /** UTF-16 units of the whole answer text. */
  chars: 50_000_000,
  rows: 100_000,
  columns: 2_000,
  cells: 2_000_000,
} as const

/** The same for an answer that is JSON. */
export const extractionLimits = {
  values: 200_000,
  /** Of one list: each is compared with each of the gold's. */
  items: 5_000,
  textChars: 1_000_000,
  depth: 200,
} as const
