/** Why a document is refused as a whole: no node, no score. */
export interface Refusal {
  readonly stage: 'schema' | 'instance'
  /** The published package's exception. */
  readonly type: 'ValueError' | 'ValidationError' | 'RecursionError'
  readonly message: string
}

/** A schema or a value that the published package does not take. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly refusal: Refusal
  constructor(stage: Refusal['stage'], type: Refusal['type'], message: string) {
    super(message)
    this.refusal = { stage, type, message }
  }
}
