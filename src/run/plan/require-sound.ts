import { existsSync } from 'node:fs'
import { answersFromWeb } from '../../../agents/registry.ts'
import { findBrowser } from '../../../tools/page/browser-path.ts'
import { loadFaultProfile } from '../../../tools/web/fault-profile.ts'
import type { RunConfig } from '../../config.ts'
import { isOnlineControl } from '../../core/controls.ts'
import { ConfigError } from '../../core/errors.ts'
import { requireOutside } from '../../core/require-outside.ts'
import type { Task } from '../../core/task.ts'

/**
 * Refuses options that name what is not there, or that the run could do nothing with, before anything is opened: those
 * of settings that the run does not make, too, so that a typo does not wait for the day on which they are.
 */
export async function requireSound(config: RunConfig, tasks: readonly Task[]): Promise<void> {
  requireControls(config, tasks)
  for (const [flag, path] of [
    ['--out', config.out],
    ['--cache', config.cache],
    ['--record', config.record],
  ] as const)
    requireOutside(flag, path, config.docs, { deep: false })
  if (config.faults !== null) await loadFaultProfile(config.faults)
  if (config.browser !== null && config.browser !== 'off')
    await findBrowser({ flag: config.browser, variable: null, searchPath: '' })
  // Where it is opened, that says more.
  if (!config.setting.some(answersFromWeb)) requireWebFolder(config.web)
}

function requireWebFolder(web: string): void {
  const folder = /^(?:sealed|replay):(.+)$/s.exec(web)?.[1]
  if (folder !== undefined && !existsSync(folder))
    throw new ConfigError(`--web ${web}: no folder there; leave it out, or name one that is`)
}

function requireControls(
  { controls, setting, docs, queue }: Pick<RunConfig, 'controls' | 'setting' | 'docs' | 'queue'>,
  tasks: readonly Task[],
): void {
  const ofRag = controls.find(name => !isOnlineControl(name))
  if (ofRag !== undefined && !setting.includes('rag'))
    throw new ConfigError(`--controls ${ofRag}: stands in for what rag retrieves: add rag to --setting`)
  const first = controls.find(isOnlineControl)
  if (first === undefined) return
  const flag = `--controls ${first}`
  if (!setting.includes('online'))
    throw new ConfigError(`${flag}: is made of what the online setting found: add online to --setting`)
  if (queue !== null) throw new ConfigError(`${flag}: is made in this process: leave --queue out`)
  const isKnown = ({ documents }: Task): boolean => documents.every(({ load }) => load !== undefined)
  if (docs === null && !tasks.every(isKnown))
    throw new ConfigError(`${flag}: needs the tasks' documents: name their folder with --docs DIR`)
}
