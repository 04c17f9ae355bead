/** One line of `npm run bench`; the field names are held stable. */
export interface Figure {
  /** `overhead-ratio`, `help-ms`, …: one figure has one name. */
  readonly figure: string
  /** Null where it could not be measured here; `against` then says why. */
  readonly value: number | null
  readonly unit: string
  /** What the value is held against, with its number and where that comes from. */
  readonly against: string
  /** The reading that carries over to other machines, as the bench's `read` says; null where there is none. */
  readonly ratio: number | null
}

/** One registry line: a bench makes one or more figures. */
export interface Bench {
  /** What is measured, one line. */
  readonly summary: string
  /** Which ratio to read, and what is wanted of it. */
  readonly read: string
  /** The names of its figures, so that a figure can be asked for by name. */
  readonly figures: readonly string[]
  run(): Promise<readonly Figure[]>
}

/** A figure that can't be measured on this machine, and why. */
export function skipped(figure: string, unit: string, reason: string): Figure {
  return { figure, value: null, unit, against: `skipped: ${reason}`, ratio: null }
}
