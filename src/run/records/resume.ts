import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { redacted } from '../../../logs/redact.ts'
import { addPlugins } from '../../config/gather-options.ts'
import { type RunConfig, resolveConfig, withPresentNames } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import { flagOf } from '../../core/option-spec.ts'
import { placeOf, withScorer } from './manifest.ts'
import { readRunManifest } from './run-folder.ts'

/** Refuses --resume where there is nothing to go on with. */
export function requireRun(folder: string): void {
  if (existsSync(join(folder, 'manifest.json'))) return
  throw new ConfigError(`--resume: ${folder} holds no run: leave --resume out to begin one there`)
}

/** The options of a run; with --resume, those that are not given are what the run began with. */
export async function resolveRunOptions(options: Readonly<Record<string, unknown>>): Promise<RunConfig> {
  const given = withPresentNames(options)
  if (given.resume !== true) return resolveConfig(given)
  if (typeof given.out !== 'string')
    throw new ConfigError('--resume: name the run that is to go on: --out RUN')
  requireRun(given.out)
  const earlier = withScorer((await readRunManifest(given.out)).config)
  if (given.plugins === undefined && Array.isArray(earlier.plugins)) await addPlugins(earlier.plugins)
  const config = resolveConfig({ ...given, tasks: given.tasks ?? earlier.tasks })
  const kept = Object.keys(config).filter(name => given[name] === undefined && name in earlier)
  const lost = kept.find(name => JSON.stringify(earlier[name]).includes(redacted))
  if (lost !== undefined)
    throw new ConfigError(`--resume: ${flagOf(lost)} held a secret, which no run keeps: give it again`)
  requireThere(earlier, kept)
  return { ...config, ...Object.fromEntries(kept.map(name => [name, earlier[name]])), resume: true }
}

/** A run's paths are kept as they were given, relative to the folder that it was begun in. */
function requireThere(earlier: Readonly<Record<string, unknown>>, kept: readonly string[]): void {
  for (const name of ['tasks', 'docs'].filter(name => kept.includes(name))) {
    const path = earlier[name]
    if (typeof path === 'string' && !existsSync(path))
      throw new ConfigError(
        `--resume: ${placeOf(path)}: not there; call it from the folder in which the run was begun, or give ${flagOf(name)}`,
      )
  }
}
