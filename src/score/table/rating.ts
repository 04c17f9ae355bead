/** The score of a cell and the rule that decided. `score` is 0 to 1, or null when a judge failed. */
export interface CellRating {
  readonly score: number | null
  readonly rule: string
}

/** Creates a rating. */
export const rating = (score: number | null, rule: string): CellRating => ({ score, rule })

/** Ratings that do not depend on the cell. They are shared, because most cells get one of them. */
export const ratings = {
  equal: rating(1, 'equal'),
  different: rating(0, 'different'),
  bothEmpty: rating(1, 'both-empty'),
  oneEmpty: rating(0, 'one-empty'),
  numeric: rating(1, 'numeric'),
  numericDifferent: rating(0, 'numeric-different'),
  normalisedEqual: rating(1, 'normalised-equal'),
  judgeFailed: rating(null, 'judge-failed'),
  unmatchedRow: rating(0, 'unmatched-row'),
  noAnswer: rating(0, 'no-answer'),
  unreadable: rating(0, 'unreadable-answer'),
} as const satisfies Record<string, CellRating>
