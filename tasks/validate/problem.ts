import type { GoldProblem } from '../../src/core/answer-kind.ts'

/** A problem because of which a run leaves the task out. */
export const error = (code: GoldProblem['code'], message: string): GoldProblem => ({
  severity: 'error',
  code,
  message,
})

/** A problem that a run mentions. */
export const warning = (code: GoldProblem['code'], message: string): GoldProblem => ({
  severity: 'warning',
  code,
  message,
})
