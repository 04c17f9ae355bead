/** An exception of the published code. It scores an answer 0. */
export class PythonFailure extends Error {
  /** The name of the exception in Python, such as `ValueError`. */
  readonly exception: string

  constructor(exception: string, message: string) {
    super(message)
    this.exception = exception
  }
}
