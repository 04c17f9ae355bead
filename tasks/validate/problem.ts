import type { GoldProblem } from '../../src/core/answer-kind.ts'
import { DataError } from '../../src/core/errors.ts'
import type { TaskProblemCode } from '../../src/core/task.ts'

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

/** Returns the error of a record that cannot be a task. The message does not name the place; the loader adds it. */
export const invalidRecord = (
  message: string,
  cause?: unknown,
  code: TaskProblemCode = 'invalid-record',
): DataError => new DataError(message, { code, cause })
