/** Why the published package refuses a whole document. A refused document has no nodes and no score. */
export interface Refusal {
  readonly stage: 'schema' | 'instance'
  /** The exception that the published package raises. */
  readonly type: 'ValueError' | 'ValidationError' | 'RecursionError'
  readonly message: string
}

/** A schema or a value that the published package refuses. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}
