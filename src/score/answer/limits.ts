/** Beyond these an answer is refused by name instead of read, so that no answer takes unbounded time or memory. */
export const answerLimits = {
  /** UTF-16 units of the whole answer text. */
  chars: 50_000_000,
  rows: 100_000,
  columns: 2_000,
  cells: 2_000_000,
} as const
