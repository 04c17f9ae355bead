import type { RunConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import type { Task } from '../../core/task.ts'
import { isOnlineControl } from './online-controls.ts'

/** Refuses controls that could not be made, before anything is spent. */
export function requireOnlineControls(
  { controls, setting, docs, queue }: Pick<RunConfig, 'controls' | 'setting' | 'docs' | 'queue'>,
  tasks: readonly Task[],
): void {
  const [first] = controls.filter(isOnlineControl)
  if (first === undefined) return
  const flag = `--controls ${first}`
  if (!setting.includes('online'))
    throw new ConfigError(`${flag}: is made of what the online setting found: add online to --setting`)
  if (queue !== null) throw new ConfigError(`${flag}: is made in this process: leave --queue out`)
  const isKnown = ({ question, embedded }: Task): boolean =>
    question.hints.every(hint => embedded.some(document => document.hint === hint))
  if (docs === null && !tasks.every(isKnown))
    throw new ConfigError(`${flag}: needs the tasks' documents: name their folder with --docs DIR`)
}
