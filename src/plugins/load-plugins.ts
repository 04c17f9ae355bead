import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, extname, relative, resolve, sep } from 'node:path'
import { ConfigError } from '../core/errors.ts'
import { canonicalJson, sha256 } from '../system/hash.ts'
import { checkPlugin } from './check-plugin.ts'
import type { Plugin, PluginField } from './define-plugin.ts'
import { type FoundPlugin, findPlugin } from './find-plugin.ts'
import { loadFailure, loadModule } from './load-module.ts'
import { pluginFields } from './plugin-kinds.ts'

/** A loaded plug-in. Its entries are in the registries of this process. */
export interface LoadedPlugin {
  readonly name: string
  /** SHA-256 of its code when it was loaded. */
  readonly hash: string
  /** The absolute path of its entry file. */
  readonly file: string
}

/** Plug-ins by entry file. Like the registries, they belong to the process (docs/decisions/0014). */
const loading = new Map<string, Promise<LoadedPlugin>>()
const loaded: LoadedPlugin[] = []

/** Returns the plug-ins that this process has loaded. */
export function listLoadedPlugins(): readonly LoadedPlugin[] {
  return loaded
}

/**
 * Adds the entries of plug-ins to the registries of this process. A plug-in is loaded once.
 *
 * @param pluginNames paths relative to the folder, and names of packages
 * @returns each plug-in once, in the order given
 * @throws ConfigError [plugin-not-found, plugin-load-failed, plugin-invalid, plugin-name-taken]
 */
export async function loadPlugins(
  pluginNames: readonly string[],
  folder: string = process.cwd(),
): Promise<LoadedPlugin[]> {
  const plugins = new Set<LoadedPlugin>()
  // One after the other, so that the error for a name that two use always names the later one.
  for (const pluginName of pluginNames) plugins.add(await loadOnce(pluginName, folder))
  return [...plugins]
}

async function loadOnce(pluginName: string, folder: string): Promise<LoadedPlugin> {
  const location = await findPlugin(pluginName, folder)
  const started = loading.get(location.file)
  if (started !== undefined) return await started
  const plugin = load(location, pluginName)
  loading.set(location.file, plugin)
  try {
    const added = await plugin
    loaded.push(added)
    return added
  } catch (error) {
    loading.delete(location.file)
    throw error
  }
}

async function load(location: FoundPlugin, pluginName: string): Promise<LoadedPlugin> {
  const hash = await hashPlugin(location)
  const plugin = checkPlugin(await importPlugin(location.file, pluginName), pluginName)
  const name = plugin.name ?? location.defaultName
  requireOwnName(name, pluginName)
  addEntries(name, plugin)
  return { name, hash, file: location.file }
}

async function importPlugin(file: string, pluginName: string): Promise<unknown> {
  const publicModule = await import('./public-module.ts')
  try {
    return readDefaultExport(await loadModule(file, publicModule), pluginName)
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    throw new ConfigError(
      `plug-in ${pluginName} cannot be loaded: ${loadFailure(cause, file).replace(/\.$/, '')}. Correct the module, or leave the plug-in out.`,
      { cause, code: 'plugin-load-failed' },
    )
  }
}

/** A CommonJS module without a marker is its default export itself. */
function readDefaultExport(loaded: { readonly default?: unknown }, pluginName: string): unknown {
  if (loaded.default !== undefined) return loaded.default
  const isModule = '__esModule' in loaded || Object.prototype.toString.call(loaded) === '[object Module]'
  if (!isModule) return loaded
  const [name] = Object.keys(loaded)
  throw new ConfigError(
    `plug-in ${pluginName}: it has no default export. Export the plug-in as default: \`export default ${name ?? 'definePlugin({ … })'}\`. See docs/plugins.md.`,
    { code: 'plugin-invalid' },
  )
}

/** Rejects a plug-in whose name is in use, because manifests and workers identify plug-ins by their names. */
function requireOwnName(name: string, pluginName: string): void {
  const namesake = loaded.find(plugin => plugin.name === name)
  if (namesake === undefined) return
  throw new ConfigError(
    `plug-in ${pluginName}: ${relative('', namesake.file)} has the same name '${name}'. Give one of them another name: definePlugin({ name: … }).`,
    { code: 'plugin-name-taken' },
  )
}

/** Adds all entries of a plug-in, or none when a name is in use. */
function addEntries(name: string, { name: _, ...fields }: Plugin): void {
  const pluginEntries = Object.entries(fields) as [PluginField, Readonly<Record<string, object>>][]
  for (const [field, entries] of pluginEntries)
    for (const entry of Object.keys(entries)) pluginFields[field].registry.requireFree(name, entry)
  for (const [field, entries] of pluginEntries) {
    const { registry, complete = entry => entry } = pluginFields[field]
    const completed = Object.entries(entries).map(([entry, value]) => [entry, complete(value)])
    registry.add(name, Object.fromEntries(completed))
  }
}

const endings = ['', '.ts', '.js', '.mts', '.mjs', '.cts', '.cjs', '.json', '/index.ts', '/index.js']

/** Matches `from './a.ts'`, `import './a.ts'`, `import('./a.ts')` and `require('./a.ts')`. */
const relativeImport = /\b(?:from|import|require)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g

/**
 * Returns the SHA-256 of a plug-in's code. It covers the entry file, the local files that it imports by a
 * literal path, and the name and version of its package. Packages that it imports, and files that it reads
 * while it runs, are not included.
 */
export async function hashPlugin({ file, package: ofPackage }: FoundPlugin): Promise<string> {
  const hashes = new Map<string, string>()
  await addFile(file, dirname(file), hashes)
  const files = [...hashes].sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(canonicalJson({ package: ofPackage, files }))
}

/** Adds the hashes of a file and of those that it imports, by their paths relative to `folder`. */
async function addFile(file: string, folder: string, hashes: Map<string, string>): Promise<void> {
  const place = relative(folder, file).split(sep).join('/')
  if (hashes.has(place)) return
  const text = await readFile(file, 'utf8')
  hashes.set(place, sha256(text))
  if (extname(file) === '.json') return
  for (const [, , path] of text.matchAll(relativeImport)) {
    const imported = findImportedFile(resolve(dirname(file), path!))
    if (imported !== null) await addFile(imported, folder, hashes)
  }
}

/** Returns the file of an import; null when there is none. TypeScript may write `./a.js` for `a.ts`. */
function findImportedFile(path: string): string | null {
  const tries = [...endings.map(ending => path + ending), path.replace(/\.([cm]?)js$/, '.$1ts')]
  return tries.find(path => existsSync(path) && statSync(path).isFile()) ?? null
}
