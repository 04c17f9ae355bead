import type { GoldProblem } from '../../src/core/answer-kind.ts'
import { DataError } from '../../src/core/errors.ts'

/** Returns a problem that excludes the task from a run. */
export const error = (code: GoldProblem['code'], message: string): GoldProblem => ({
  severity: 'error',
  code,
  message,
})

/** Returns a problem that a run only reports. */
export const warning = (code: GoldProblem['code'], message: string): GoldProblem => ({
  severity: 'warning',
  code,
  message,
})

/** Returns the error of a record that cannot be read. The message does not name the place; the loader adds it. */
export const invalidRecord = (message: string, cause?: unknown): DataError =>
  new DataError(message, { code: 'invalid-record', cause })
