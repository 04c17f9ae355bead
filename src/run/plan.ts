import type { SettingName } from '../../agents/registry.ts'
import { sha256 } from '../core/hash.ts'
import type { Task } from '../core/task.ts'

/** One attempt that a run is to make. */
export interface PlannedAttempt {
  readonly attemptId: string
  readonly task: Task
  readonly setting: SettingName
  readonly model: string
  readonly trial: number
  readonly seed: number
  readonly chainOfThought: boolean
  readonly variant: string
}

export interface PlanInput {
  readonly tasks: readonly Task[]
  readonly settings: readonly SettingName[]
  readonly models: readonly string[]
  readonly trials: number
  readonly seed: number
  readonly cot: readonly boolean[]
  /** What differs from the defaults in a setting, chain of thought aside: `retriever=bm25`. */
  variantOf(setting: string): readonly string[]
}

/** File-name safe and readable, unique by the hash of all five parts. */
export function attemptIdOf(
  taskId: string,
  setting: string,
  model: string,
  trial: number,
  variant: string,
): string {
  const slug = (text: string, longest: number) => text.replace(/[^A-Za-z0-9.-]+/g, '_').slice(0, longest)
  const hash = sha256(JSON.stringify([taskId, setting, model, trial, variant])).slice(0, 10)
  return `${slug(taskId, 60)}.${setting}.${slug(model, 40)}.${trial}.${hash}`
}

/** tasks x settings x models x trials x variants; settings innermost, so that a stopped run compares what it has. */
export function planAttempts(input: PlanInput): PlannedAttempt[] {
  const planned: PlannedAttempt[] = []
  for (let trial = 0; trial < input.trials; trial++)
    for (const task of input.tasks)
      for (const model of input.models)
        for (const chainOfThought of input.cot)
          for (const setting of input.settings) {
            const variant = [...(chainOfThought ? [] : ['cot=off']), ...input.variantOf(setting)].join(',')
            const { taskId } = task.question
            const attemptId = attemptIdOf(taskId, setting, model, trial, variant)
            planned.push({
              attemptId,
              task,
              setting,
              model,
              trial,
              seed: input.seed + trial,
              chainOfThought,
              variant,
            })
          }
  return planned
}
