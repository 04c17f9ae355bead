import { loadedPlugins } from '../../plugins/load-plugins.ts'
import type { Manifest } from './manifest.ts'

/**
 * One line for each plug-in of a run that is not loaded, or has changed since. A run's records never load code by
 * themselves: they may come from anybody.
 */
export function pluginNotices(manifest: Manifest): string[] {
  if (manifest.source !== 'run') return []
  return (manifest.plugins ?? []).flatMap(({ name, hash }) => {
    const own = loadedPlugins().find(plugin => plugin.name === name)
    if (own === undefined)
      return [`the run's plug-in '${name}' is not loaded: where scores need it, name it with --plugin`]
    if (own.hash === hash) return []
    return [`the plug-in '${name}' has changed since the run: new scores are those of its present code`]
  })
}
