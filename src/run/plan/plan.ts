import { type ArmOptions, optionsText } from '../../core/arm.ts'
import type { OnlineControl } from '../../core/controls.ts'
import type { Task } from '../../core/task.ts'
import { sha256 } from '../../system/hash.ts'
import type { OptionValues, PlannedArm, RagArm } from './arms.ts'
import type { PlannedFork } from './fork-plan.ts'

/** The factors of a planned attempt besides its arm. */
interface AttemptFactors {
  readonly task: Task
  readonly model: string
  readonly trial: number
  readonly seed: number
  readonly chainOfThought: boolean
  /** The name of its set of prompts. */
  readonly prompts: string
}

/** A planned attempt. */
export interface PlannedAttempt extends AttemptFactors {
  readonly attemptId: string
  readonly setting: string
  /** The options that differ from the defaults. */
  readonly options: ArmOptions
  /** The source of its chunks; null in other settings than rag. */
  readonly rag: RagArm | null
  /** The values of the setting's own options, by their names in a config file. Absent when it has none. */
  readonly values?: OptionValues
  /** For a control of the online setting: the attempt that must end first. Null for other attempts. */
  readonly control: OnlineControl | null
  /** The attempt that it continues from a step on. Absent for an attempt that begins at the question. */
  readonly fork?: PlannedFork
}

/** Returns the format in which an attempt sees documents that are tables; undefined for the run's first. */
export function findTableFormat({ values = {} }: PlannedAttempt): string | undefined {
  return values.tableFormat as string | undefined
}

/** The factors of a plan. */
export interface PlanInput {
  readonly tasks: readonly Task[]
  readonly settings: readonly string[]
  readonly models: readonly string[]
  readonly trials: number
  readonly seed: number
  readonly cot: readonly boolean[]
  /** Names of sets of prompts. */
  readonly prompts: readonly string[]
  /** The set that records do not name: the default of --prompts. */
  readonly unmarkedPrompts: string
  /** Returns the arms of a setting, without chain of thought and prompts. */
  armsOf(setting: string): readonly PlannedArm[]
}

/** The fields that identify an attempt in a run. */
export interface AttemptKey {
  readonly taskId: string
  readonly setting: string
  readonly model: string
  readonly trial: number
  readonly options: ArmOptions
}

/** Returns an attempt's id: readable, valid as a file name, and unique by the hash of all five fields. */
export function createAttemptId({ taskId, setting, model, trial, options }: AttemptKey): string {
  const slug = (text: string, longest: number) => text.replace(/[^A-Za-z0-9.-]+/g, '_').slice(0, longest)
  const hash = sha256(JSON.stringify([taskId, setting, model, trial, optionsText(options)])).slice(0, 10)
  return `${slug(taskId, 60)}.${slug(setting, 40)}.${slug(model, 40)}.${trial}.${hash}`
}

/** Plans trials x tasks x models x prompts x arms x settings. Settings change fastest, so that a stopped run has comparable attempts. */
export function planAttempts(input: PlanInput): PlannedAttempt[] {
  const planned: PlannedAttempt[] = []
  const arms = new Map(input.settings.map(setting => [setting, input.armsOf(setting)]))
  for (let trial = 0; trial < input.trials; trial++)
    for (const task of input.tasks)
      for (const model of input.models)
        for (const prompts of input.prompts) {
          const markedPrompts = prompts === input.unmarkedPrompts ? null : prompts
          for (const chainOfThought of input.cot)
            for (const setting of input.settings)
              for (const arm of arms.get(setting)!) {
                const seed = input.seed + trial
                const factors = { task, model, trial, seed, chainOfThought, prompts }
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
