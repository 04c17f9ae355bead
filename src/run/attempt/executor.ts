import { setMaxListeners } from 'node:events'
import type { PlannedAttempt } from '../plan/plan.ts'
import { chooseSetting } from './controls/online-base.ts'
import { type AttemptExecution, type ExecutedAttempt, executeAttempt } from './execute.ts'

/** Makes planned attempts in this process or on workers. The caller records the results. */
export interface Executor {
  /** How many attempts may be passed to it at the same time. */
  readonly concurrency: number
  /**
   * Makes an attempt.
   *
   * @param started called when the attempt begins
   * @param answered called when the model has answered and only measuring is left; workers do not call it
   * @returns null when the run was stopped before the attempt was made
   */
  execute(planned: PlannedAttempt, started: () => void, answered: () => void): Promise<ExecutedAttempt | null>
  /** The attempt is recorded in the run's folder. */
  recorded(attemptId: string): void
  /**
   * Returns null for the named attempts that have not begun. The default is all attempts that have not begun.
   */
  withdraw(isNamed?: (attemptId: string) => boolean): void
  /** @param complete every attempt came back and is recorded */
  close(complete: boolean): Promise<void>
}

/** Returns an executor that makes attempts in this process. */
export function makeLocalExecutor(execution: AttemptExecution, concurrency: number): Executor {
  // Every attempt listens to it, also those that wait for the run's budget.
  setMaxListeners(0, execution.cancelled)
  return {
    concurrency,
    async execute(planned, started, answered) {
      started()
      return await executeAttempt({ ...execution, planned, setting: chooseSetting(planned), answered })
    },
    recorded: () => undefined,
    withdraw: () => undefined,
    close: async () => undefined,
  }
}
