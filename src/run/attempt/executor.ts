import { setMaxListeners } from 'node:events'
import type { PlannedAttempt } from '../plan/plan.ts'
import { settingOf } from './controls/online-base.ts'
import { type AttemptToMake, type ExecutedAttempt, executeAttempt } from './execute.ts'

/** Makes attempts of the plan, here or elsewhere; what came of them is for the caller to record. */
export interface Executor {
  /** How many attempts may be given to it at a time. */
  readonly atATime: number
  /**
   * `started` is called when the attempt begins, `answered` when it is over and only its measures are still taken, where
   * that is known. Null: the run was stopped before it was made.
   */
  execute(planned: PlannedAttempt, started: () => void, answered: () => void): Promise<ExecutedAttempt | null>
  /** The attempt stands in the run's folder. */
  recorded(attemptId: string): void
  /** Those of the named attempts that nobody has begun come back as null; absent: all of them. */
  withdraw(isNamed?: (attemptId: string) => boolean): void
  /** `complete`: every attempt that was given to it came back and is recorded. */
  close(complete: boolean): Promise<void>
}

/** What the attempts of a run are made with. */
export type LocalExecution = Pick<AttemptToMake, 'options' | 'resources' | 'measurer' | 'cancelled'>

/** Makes attempts in this process. */
export function localExecutor(execution: LocalExecution, concurrency: number): Executor {
  // Every attempt listens to it, those too that wait for what the run's budget has left.
  setMaxListeners(0, execution.cancelled)
  return {
    atATime: concurrency,
    async execute(planned, started, answered) {
      started()
      return await executeAttempt({ ...execution, planned, setting: settingOf(planned), answered })
    },
    recorded: () => undefined,
    withdraw: () => undefined,
    close: async () => undefined,
  }
}
