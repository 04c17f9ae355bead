import { benchmarkDefaults } from '../../config/benchmark-defaults.ts'
import type { RunConfig } from '../../config.ts'
import type { Task } from '../../core/task.ts'
import { listArms } from './arms.ts'
import { type PlannedAttempt, planAttempts } from './plan.ts'
import { type PromptSets, promptsName } from './prompt-sets.ts'

/** Plans all attempts of a run. */
export function planRun(
  config: RunConfig,
  tasks: readonly Task[],
  { modelNames, prompts }: { readonly modelNames: readonly string[]; readonly prompts: PromptSets },
): PlannedAttempt[] {
  return planAttempts({
    tasks,
    settings: config.setting,
    models: modelNames,
    trials: config.trials,
    seed: config.seed,
    cot: config.cot.map(choice => choice === 'on'),
    prompts: [...prompts.keys()],
    unmarkedPrompts: promptsName(benchmarkDefaults(config.benchmark).prompts[0]!),
    armsOf: setting => listArms(config, setting),
  })
}
