import { countFenceMarks } from '../../text/fences.ts'

/**
 * Larger answers are not read, so that no answer holds up the other attempts while it is read and compared. Many times what
 * a model can write. The message names the limit.
 */
export const answerLimits = {
  /** UTF-16 units of the whole answer. */
  chars: 1_000_000,
  rows: 10_000,
  columns: 2_000,
  cells: 50_000,
  /** UTF-16 units of one cell. */
  cellChars: 100_000,
  /** Rows of backticks or tildes, which open and close blocks. */
  fenceMarks: 5_000,
} as const

/** Says which limit a whole answer exceeds; null when it can be read. */
export function describeExcess(answer: string): string | null {
  const { chars, fenceMarks } = answerLimits
  if (answer.length > chars) return `answer too large: ${answer.length} characters, at most ${chars}`
  return countFenceMarks(answer) > fenceMarks
    ? `answer too large: more than ${fenceMarks} marks of code blocks`
    : null
}

/** The limits of a JSON answer. */
export const extractionLimits = {
  values: 200_000,
  /** In one list: each item is compared with each gold item. */
  items: 5_000,
  textChars: 1_000_000,
  depth: 200,
} as const
