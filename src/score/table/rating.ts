/** The score of a cell and the rule that decided. `score` is 0 to 1, or null when a judge failed. */
export interface CellRating {
  readonly score: number | null
  readonly rule: string
}

/** Creates a rating. */
export const makeRating = (score: number | null, rule: string): CellRating => ({ score, rule })

/** Ratings that do not depend on the cell. They are shared, because most cells get one of them. */
export const ratings = {
  equal: makeRating(1, 'equal'),
  different: makeRating(0, 'different'),
  bothEmpty: makeRating(1, 'both-empty'),
  oneEmpty: makeRating(0, 'one-empty'),
  numeric: makeRating(1, 'numeric'),
  numericDifferent: makeRating(0, 'numeric-different'),
  normalisedEqual: makeRating(1, 'normalised-equal'),
  judgeFailed: makeRating(null, 'judge-failed'),
  unmatchedRow: makeRating(0, 'unmatched-row'),
  noAnswer: makeRating(0, 'no-answer'),
  unreadable: makeRating(0, 'unreadable-answer'),
} as const satisfies Record<string, CellRating>
