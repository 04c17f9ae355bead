import type { RunConfig } from '../../config.ts'
import type { Task } from '../../core/task.ts'
import type { RunGrounds } from '../resources/grounds.ts'
import { armsOf } from './arms.ts'
import { type PlannedAttempt, planAttempts } from './plan.ts'

/** Every attempt that a run is to make. */
export function planRun(
  config: RunConfig,
  tasks: readonly Task[],
  grounds: Pick<RunGrounds, 'modelNames' | 'prompts'>,
): PlannedAttempt[] {
  return planAttempts({
    tasks,
    settings: config.setting,
    models: grounds.modelNames,
    trials: config.trials,
    seed: config.seed,
    cot: config.cot.map(choice => choice === 'on'),
    prompts: [...grounds.prompts.keys()],
    armsOf: setting => armsOf(config, setting),
  })
}
