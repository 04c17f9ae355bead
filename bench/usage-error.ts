/** A wrong name, option or file on the command line of the benches. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
