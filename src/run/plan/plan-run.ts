import { benchmarkDefaults } from '../../config/benchmark-defaults.ts'
import type { RunConfig } from '../../config.ts'
import { DataError } from '../../core/errors.ts'
import { describeIntervention } from '../../core/fork.ts'
import type { Task } from '../../core/task.ts'
import { listArms } from './arms.ts'
import { type ForkPlan, readForkPlan } from './fork-plan.ts'
import { createAttemptId, type PlannedAttempt, planAttempts } from './plan.ts'
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

/**
 * Returns the planned attempts of a plan's forks.
 *
 * @param sources the attempts that the source run planned
 * @throws DataError [fork-source] when the options or tasks of the source run have changed
 */
export function planForks(plan: ForkPlan, sources: readonly PlannedAttempt[]): PlannedAttempt[] {
  const byId = new Map(sources.map(source => [source.attemptId, source]))
  const byTask = new Map(sources.map(source => [source.task.question.taskId, source]))
  const counts = new Map<string, number>()
  return plan.forks.map(fork => {
    const source = plan.isImported ? byTask.get(fork.taskId) : byId.get(fork.rootId)
    if (source === undefined)
      throw new DataError(
        `no attempt ${fork.attemptId} is planned: the options or the tasks of its run have changed. Use those of the run.`,
        { code: 'fork-source' },
      )
    const { intervention, lossClass, values, seed } = fork
    const model = fork.model ?? source.model
    const options = {
      ...source.options,
      fork: describeIntervention(intervention),
      ...(lossClass === undefined ? {} : { cause: lossClass }),
    }
    const { taskId } = source.task.question
    const { setting } = source
    const key = JSON.stringify([taskId, model, options])
    const trial = counts.get(key) ?? 0
    counts.set(key, trial + 1)
    return {
      ...source,
      attemptId: createAttemptId({ taskId, setting, model, trial, options }),
      model,
      trial,
      seed,
      options,
      // The recorded part keeps the other options of its source.
      values: { ...source.values, ...(values.search === undefined ? {} : { search: values.search }) },
      fork: { ...fork, run: plan.run, isImported: plan.isImported },
    }
  })
}
