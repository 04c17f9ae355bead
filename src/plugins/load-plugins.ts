import { relative } from 'node:path'
import { ConfigError } from '../core/errors.ts'
import { checkPlugin } from './check-plugin.ts'
import type { Plugin, PluginField } from './define-plugin.ts'
import { type FoundPlugin, findPlugin } from './find-plugin.ts'
import { hashPlugin } from './hash-plugin.ts'
import { loadFailure, loadModule } from './load-module.ts'
import { pluginFields } from './plugin-kinds.ts'

/** A plug-in whose entries are in the registries of this process. */
export interface LoadedPlugin {
  readonly name: string
  /** SHA-256 of its code when it was loaded. */
  readonly hash: string
  /** The absolute path of its entry file. */
  readonly file: string
}

/** By entry file. Registries belong to the process, and so do the plug-ins in them (docs/decisions/0014). */
const loading = new Map<string, Promise<LoadedPlugin>>()
const loaded: LoadedPlugin[] = []

/** The plug-ins of this process. */
export function loadedPlugins(): readonly LoadedPlugin[] {
  return loaded
}

/**
 * Adds the entries of plug-ins to the registries of this process. One that is loaded already stays as it is.
 * @param given paths relative to the folder, and names of packages
 * @returns each plug-in once, in the order given
 * @throws ConfigError [plugin-not-found, plugin-load-failed, plugin-invalid, plugin-name-taken]
 */
export async function loadPlugins(
  given: readonly string[],
  folder: string = process.cwd(),
): Promise<LoadedPlugin[]> {
  const plugins = new Set<LoadedPlugin>()
  // One after the other, so that a collision always blames the later one.
  for (const each of given) plugins.add(await loadOnce(each, folder))
  return [...plugins]
}

async function loadOnce(given: string, folder: string): Promise<LoadedPlugin> {
  const found = await findPlugin(given, folder)
  const started = loading.get(found.file)
  if (started !== undefined) return await started
  const plugin = load(found, given)
  loading.set(found.file, plugin)
  try {
    const added = await plugin
    loaded.push(added)
    return added
  } catch (error) {
    loading.delete(found.file)
    throw error
  }
}

async function load(found: FoundPlugin, given: string): Promise<LoadedPlugin> {
  const hash = await hashPlugin(found)
  const plugin = checkPlugin(await importPlugin(found.file, given), given)
  const name = plugin.name ?? found.defaultName
  requireOwnName(name, given)
  addEntries(name, plugin)
  return { name, hash, file: found.file }
}

async function importPlugin(file: string, given: string): Promise<unknown> {
  const publicModule = await import('./public-module.ts')
  try {
    const loaded = await loadModule(file, publicModule)
    // A CommonJS module is its export itself.
    return loaded.default ?? ('__esModule' in loaded ? undefined : loaded)
  } catch (cause) {
    throw new ConfigError(`plug-in ${given} cannot be loaded: ${loadFailure(cause, file)}`, {
      cause,
      code: 'plugin-load-failed',
    })
  }
}

/** Manifests and workers identify plug-ins by their names. */
function requireOwnName(name: string, given: string): void {
  const other = loaded.find(plugin => plugin.name === name)
  if (other === undefined) return
  throw new ConfigError(
    `plug-in ${given}: ${relative('', other.file)} is loaded as '${name}' already. Give one of them another name: definePlugin({ name: … }).`,
    { code: 'plugin-name-taken' },
  )
}

/** All entries or none. */
function addEntries(name: string, { name: _, ...fields }: Plugin): void {
  const all = Object.entries(fields) as [PluginField, Readonly<Record<string, object>>][]
  for (const [field, entries] of all)
    for (const entry of Object.keys(entries)) pluginFields[field].registry.requireFree(name, entry)
  for (const [field, entries] of all) {
    const { registry, complete = entry => entry } = pluginFields[field]
    const completed = Object.entries(entries).map(([entry, value]) => [entry, complete(value)])
    registry.add(name, Object.fromEntries(completed))
  }
}
