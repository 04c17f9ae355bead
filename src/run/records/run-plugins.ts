import { ConfigError } from '../../core/errors.ts'
import { loadedPlugins, loadPlugins } from '../../plugins/load-plugins.ts'
import type { RunManifest } from './manifest.ts'

/**
 * Loads the plug-ins that a run was made with, from where it had them, unless they are loaded already.
 * @returns one line for each that is missing or has changed since
 */
export async function loadPluginsOfRun({
  config,
  plugins = [],
}: Pick<RunManifest, 'config' | 'plugins'>): Promise<string[]> {
  const places = Array.isArray(config.plugins) ? config.plugins.map(String) : []
  const notices: string[] = []
  for (const [at, { name, hash }] of plugins.entries()) {
    const problem = loadedPlugin(name) === null ? await loadFrom(places[at]) : null
    const own = loadedPlugin(name)
    if (own === null)
      notices.push(`the run's plug-in '${name}' is missing: name it with --plugin${problem ?? ''}`)
    else if (own.hash !== hash)
      notices.push(
        `the plug-in '${name}' has changed since the run: new scores are those of its present code`,
      )
  }
  return notices
}

function loadedPlugin(name: string) {
  return loadedPlugins().find(plugin => plugin.name === name) ?? null
}

/** Why it could not be loaded; null when it was. */
async function loadFrom(place: string | undefined): Promise<string | null> {
  if (place === undefined) return ''
  try {
    await loadPlugins([place])
    return null
  } catch (error) {
    if (error instanceof ConfigError) return ` (${error.message})`
    throw error
  }
}
