import type { GoldProblem } from '../../src/core/answer-kind.ts'
import { DataError } from '../../src/core/errors.ts'
import type { TaskProblemCode } from '../../src/core/task-problem.ts'

/** Returns a problem that excludes the task from a run. */
export const makeError = (code: GoldProblem['code'], message: string): GoldProblem => ({
  severity: 'error',
  code,
  message,
})

/** Returns a problem that a run only reports. */
export const makeWarning = (code: GoldProblem['code'], message: string): GoldProblem => ({
  severity: 'warning',
  code,
  message,
})

/** Returns the error of a record that cannot be a task. The message does not name the place; the loader adds it. */
export const makeRecordError = (
  message: string,
  cause?: unknown,
  code: TaskProblemCode = 'invalid-record',
): DataError => new DataError(message, { code, cause })

/** Returns the problem of a gold that gets less than 100 when it is scored as the answer. */
export const makeNotFullProblem = (message: string): GoldProblem => makeWarning('gold-not-100', message)

/** Writes a share as a percentage. It is rounded down, so that only a full score is 100.0. */
export const formatPercentBelow = (share: number): string => (Math.floor(share * 1000) / 10).toFixed(1)
