import { listBenchmarkDefaults } from '../../config/benchmark-defaults.ts'
import type { RunConfig } from '../../config.ts'
import type { ArmOptions } from '../../core/arm.ts'
import { DataError } from '../../core/errors.ts'
import { describeIntervention } from '../../core/fork.ts'
import type { Task } from '../../core/task.ts'
import { listArms, type PlannedArm } from './arms.ts'
import { type ForkPlan, readForkPlan } from './fork-plan.ts'
import { type AttemptFactors, createAttemptId, type PlannedAttempt } from './plan.ts'
import { namePrompts, type PromptSets } from './prompt-sets.ts'

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

/** Plans trials x tasks x models x prompts x arms x settings. Settings change fastest, so that a stopped run has comparable attempts. */
function planArms(
  config: RunConfig,
  tasks: readonly Task[],
  { modelNames, prompts: promptSets }: PlanFacts,
): PlannedAttempt[] {
  const planned: PlannedAttempt[] = []
  // The set that records do not name: the default of --prompts.
  const unmarkedPrompts = namePrompts(listBenchmarkDefaults(config.benchmark).prompts[0]!)
  const arms = new Map(config.setting.map(setting => [setting, listArms(config, setting)]))
  for (let trial = 0; trial < config.trials; trial++)
    for (const task of tasks)
      for (const model of modelNames)
        for (const prompts of promptSets.keys()) {
          const markedPrompts = prompts === unmarkedPrompts ? null : prompts
          for (const choice of config.cot)
            for (const setting of config.setting)
              for (const arm of arms.get(setting)!) {
                const seed = config.seed + trial
                const factors = { task, model, trial, seed, chainOfThought: choice === 'on', prompts }
                planned.push(planAttempt(setting, arm, factors, markedPrompts))
              }
        }
  return planned
}

function planAttempt(
  setting: string,
  arm: PlannedArm,
  factors: AttemptFactors,
  markedPrompts: string | null,
): PlannedAttempt {
  const { model, trial, chainOfThought } = factors
  const { taskId } = factors.task.question
  const ownSetting = arm.setting ?? setting
  const optionsWith = (ofArm: ArmOptions): ArmOptions => ({
    ...(chainOfThought ? {} : { cot: 'off' }),
    ...ofArm,
    ...(markedPrompts === null ? {} : { prompts: markedPrompts }),
  })
  const options = optionsWith(arm.options)
  const attemptId = createAttemptId({ taskId, setting: ownSetting, model, trial, options })
  const { base, control: name } = arm
  const attempt = {
    attemptId,
    ...factors,
    setting: ownSetting,
    options,
    rag: arm.rag,
    values: arm.values ?? {},
  }
  if (name === undefined || base === undefined) return { ...attempt, control: null }
  const baseId = createAttemptId({ taskId, setting, model, trial, options: optionsWith(base) })
  return { ...attempt, control: { name, baseId } }
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
