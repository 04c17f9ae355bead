/** One row of `npm run bench`. The field names are stable. */
export interface Figure {
  /** Its unique name, such as `overhead-ratio`. */
  readonly figure: string
  /** Null when it could not be measured on this machine; `against` then says why. */
  readonly value: number | null
  readonly unit: string
  /** What the value is compared with, with its number and origin, and the target. */
  readonly against: string
  /**
   * The value divided by what it is compared with, which is comparable between machines; null without a
   * comparison.
   */
  readonly ratio: number | null
}

/** A bench measures one or more figures. */
export interface Bench {
  /** What is measured, in one line. */
  readonly summary: string
  /** How to read the ratio, and the target. */
  readonly read: string
  /** The names of its figures, by which the bench can be chosen. */
  readonly figures: readonly string[]
  /** Measures the figures. */
  run(): Promise<readonly Figure[]>
}

/** Returns a figure that cannot be measured on this machine, with the reason. */
export function skipped(figure: string, unit: string, reason: string): Figure {
  return { figure, value: null, unit, against: `skipped: ${reason}`, ratio: null }
}
