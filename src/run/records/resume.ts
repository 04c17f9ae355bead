import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addPlugins, configFileNames } from '../../config/gather-options.ts'
import { completeConfig, nameOption, type ParsedOptions, type RunConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import { formatFlag } from '../../core/option-spec.ts'
import { redacted } from '../../system/secret-values.ts'
import { describePath } from './manifest.ts'
import { readRunManifest } from './manifest-file.ts'

/**
 * Refuses --resume for a folder without a run.
 *
 * @throws ConfigError [no-run-to-resume]
 */
export function requireRun(folder: string): void {
  if (existsSync(join(folder, 'manifest.json'))) return
  throw new ConfigError(`--resume: ${folder} contains no run. Remove --resume to begin one there.`, {
    code: 'no-run-to-resume',
  })
}

/**
 * Completes the options of a run. With --resume, missing options come from the manifest of the run.
 *
 * @throws ConfigError [no-run-to-resume, resume-needs-out, secret-not-kept, path-missing]
 */
export async function resolveRunOptions(options: ParsedOptions): Promise<RunConfig> {
  if (options.resume !== true) return completeConfig(options)
  if (typeof options.out !== 'string')
    throw new ConfigError('--resume: the run to resume is missing. Name its folder with --out RUN.', {
      code: 'resume-needs-out',
    })
  requireRun(options.out)
  const { config } = await readRunManifest(options.out)
  return { ...(await completeFromRun(options, config, '--resume')), resume: true }
}

/**
 * Completes options with those that a run has recorded.
 *
 * @param purpose what needs them, for messages
 * @throws ConfigError [secret-not-kept, path-missing]
 */
export async function completeFromRun(
  options: ParsedOptions,
  earlier: Readonly<Record<string, unknown>>,
  purpose: string,
): Promise<RunConfig> {
  if (options.plugins === undefined && Array.isArray(earlier.plugins)) await addPlugins(earlier.plugins)
  const config = completeConfig({ ...options, tasks: options.tasks ?? earlier.tasks })
  const keptNames = Object.keys(config).filter(name => options[name] === undefined && name in earlier)
  const lost = keptNames.find(name => isUnstored(earlier[name]))
  if (lost !== undefined)
    throw new ConfigError(
      `${purpose}: ${nameOption(lost)} contained a secret, and runs do not store secrets. Give the option again, or put it in ${configFileNames.at(-1)} in the working folder.`,
      { code: 'secret-not-kept' },
    )
  requirePaths(earlier, keptNames, purpose)
  return { ...config, ...Object.fromEntries(keptNames.map(name => [name, earlier[name]])) }
}

/** Whether the value of an option lacks a secret, because runs do not store secrets. */
export const isUnstored = (value: unknown): boolean => JSON.stringify(value).includes(redacted)

/** Checks paths of the manifest, which may be relative to the folder in which the run was begun. */
function requirePaths(
  earlier: Readonly<Record<string, unknown>>,
  keptNames: readonly string[],
  purpose: string,
): void {
  for (const name of ['tasks', 'docs'].filter(name => keptNames.includes(name))) {
    const path = earlier[name]
    if (typeof path === 'string' && !existsSync(path))
      throw new ConfigError(
        `${purpose}: ${describePath(path)} does not exist. Run the command in the folder in which the run was begun, or give ${formatFlag(name)}.`,
        { code: 'path-missing' },
      )
  }
}
