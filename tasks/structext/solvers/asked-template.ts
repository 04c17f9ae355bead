/** A question as a solver receives it. */
export interface AskedTemplate {
  readonly template: number
  /** What the pattern of the question found. */
  readonly parameters: readonly (string | undefined)[]
  readonly reference: string
}
