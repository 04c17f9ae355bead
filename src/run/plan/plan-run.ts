import { benchmarkDefaults } from '../../config/benchmark-defaults.ts'
import type { RunConfig } from '../../config.ts'
import type { Task } from '../../core/task.ts'
import { listArms } from './arms.ts'
import { readForkPlan } from './fork-plan.ts'
import { planForks } from './forked-attempts.ts'
import { type PlannedAttempt, planAttempts } from './plan.ts'
import { type PromptSets, promptsName } from './prompt-sets.ts'

/** What a plan needs besides options and tasks. */
interface PlanFacts {
  readonly modelNames: readonly string[]
  readonly prompts: PromptSets
}

/** Plans all attempts of a run. */
export function planRun(config: RunConfig, tasks: readonly Task[], facts: PlanFacts): PlannedAttempt[] {
  if (config.forks === null) return planArms(config, tasks, facts)
  const plan = readForkPlan(config.forks)
  return planForks(plan, planArms({ ...config, search: plan.search ?? config.search }, tasks, facts))
}

function planArms(
  config: RunConfig,
  tasks: readonly Task[],
  { modelNames, prompts }: PlanFacts,
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
