import type { TaskProblem } from '../../src/core/task.ts'

/** A problem of a task; the caller adds its place. */
export type Problem = Pick<TaskProblem, 'severity' | 'code' | 'message'>

/** A problem because of which a run leaves the task out. */
export const error = (code: Problem['code'], message: string): Problem => ({
  severity: 'error',
  code,
  message,
})

/** A problem that a run mentions. */
export const warning = (code: Problem['code'], message: string): Problem => ({
  severity: 'warning',
  code,
  message,
})
