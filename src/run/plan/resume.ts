import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { redacted } from '../../../logs/redact.ts'
import { flagOf, type RunConfig, resolveConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import { readManifest } from '../folder/run-folder.ts'

/** Refuses --resume where there is nothing to go on with. */
export function requireRun(folder: string): void {
  if (existsSync(join(folder, 'manifest.json'))) return
  throw new ConfigError(`--resume: ${folder} holds no run: leave --resume out to begin one there`)
}

/** The options of a run; with --resume, those that are not given are what the run began with. */
export async function resolveRunOptions(given: Readonly<Record<string, unknown>>): Promise<RunConfig> {
  if (given.resume !== true || typeof given.out !== 'string') return resolveConfig(given)
  requireRun(given.out)
  const { config: earlier } = await readManifest(given.out)
  const config = resolveConfig({ ...given, tasks: given.tasks ?? earlier.tasks })
  const kept = Object.keys(config).filter(name => given[name] === undefined && name in earlier)
  const lost = kept.find(name => JSON.stringify(earlier[name]).includes(redacted))
  if (lost !== undefined)
    throw new ConfigError(`--resume: ${flagOf(lost)} held a secret, which no run keeps: give it again`)
  return { ...config, ...Object.fromEntries(kept.map(name => [name, earlier[name]])), resume: true }
}
