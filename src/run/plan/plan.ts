import { type ArmOptions, optionsText } from '../../core/arm.ts'
import type { OnlineControl } from '../../core/controls.ts'
import type { Task } from '../../core/task.ts'
import { sha256 } from '../../system/hash.ts'
import type { OptionValues, RagArm } from './arms.ts'
import type { PlannedFork } from './fork-plan.ts'

/** The factors of a planned attempt besides its arm. */
export interface AttemptFactors {
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
