import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import {
  type OptionName,
  requireKnown,
  requireOwnOptions,
  resolveOption,
  withPresentNames,
} from '../config.ts'
import { flagOf } from '../core/option-spec.ts'
import { isPluginFile } from '../plugins/find-plugin.ts'
import { readEnvironment, variableOf } from './environment.ts'
import { readConfigFile } from './read-config-file.ts'

/** Read where they stand in the working folder, in this order. */
export const configFileNames = ['tablehunt.config.ts', 'tablehunt.config.json'] as const

/** Where an option's value comes from, and its name there. */
export interface Origin {
  readonly source: 'file' | 'flag' | 'env'
  /** The file, the flag or the variable. */
  readonly place: string
}

export interface GatheredOptions {
  /** As given, not yet resolved; what nobody gave is absent. */
  readonly options: Readonly<Record<string, unknown>>
  readonly origins: Readonly<Partial<Record<OptionName, Origin>>>
  readonly files: readonly string[]
  /** What a person should know: the files used, flags that the environment overrides, misspelt variables. */
  readonly notices: readonly string[]
}

export interface ConfigSources {
  /** The working folder. */
  readonly folder: string
  /** --config: read in place of the files of the folder; null: not given. */
  readonly file: string | null
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: NodeJS.ProcessEnv
}

interface Layer {
  readonly source: Origin['source']
  readonly options: Readonly<Record<string, unknown>>
  /** The file that the options are in; null for flags and variables. */
  readonly file: string | null
  place(name: string): string
}

/**
 * Merges tablehunt.config.ts, tablehunt.config.json (or the file of --config in place of both), flags and TABLEHUNT_…
 * variables; each overrides those before it. Every value is checked where it stands, overridden ones too: ConfigError
 * names the place.
 */
export async function gatherOptions(sources: ConfigSources): Promise<GatheredOptions> {
  const { files, layers, misspelt } = await layersOf(sources)
  await loadPluginsOf(layers)
  return { ...merge(layers), files, notices: [...noticesOf(files, layers), ...misspelt] }
}

interface Layers {
  readonly files: readonly string[]
  readonly layers: readonly Layer[]
  readonly misspelt: readonly string[]
}

async function layersOf(sources: ConfigSources): Promise<Layers> {
  const files =
    sources.file !== null
      ? [sources.file]
      : configFileNames.map(name => short(join(sources.folder, name))).filter(existsSync)
  const environment = readEnvironment(sources.env)
  const layers: Layer[] = []
  for (const file of files) {
    const options = besideFile(await readConfigFile(file), file)
    layers.push({ source: 'file', options, file, place: name => `${file}: ${name}` })
  }
  layers.push({ source: 'flag', options: sources.flags, file: null, place: flagOf })
  layers.push({ source: 'env', options: environment.options, file: null, place: variableOf })
  return { files, layers, misspelt: environment.notices }
}

/** As a person would write it here. */
function short(path: string): string {
  const fromHere = relative('', path)
  return fromHere.startsWith('..') ? path : fromHere
}

/** Paths of plug-ins in a config file are relative to that file. */
function besideFile(options: Record<string, unknown>, file: string): Record<string, unknown> {
  const { plugins } = options
  if (!Array.isArray(plugins) && typeof plugins !== 'string') return options
  const beside = (given: unknown): unknown =>
    typeof given === 'string' && isPluginFile(given) ? short(resolve(dirname(file), given)) : given
  return { ...options, plugins: [plugins].flat().map(beside) }
}

/** The plug-ins of the config file, the flags and the environment, for a command that takes nothing else of a config file. */
export async function loadGivenPlugins(sources: ConfigSources): Promise<void> {
  await loadPluginsOf((await layersOf(sources)).layers)
}

/** Other options may name what plug-ins add, so plug-ins are loaded before any of them is checked. */
async function loadPluginsOf(layers: readonly Layer[]): Promise<void> {
  const given = layers.flatMap(({ options, place }) =>
    options.plugins === undefined
      ? []
      : (resolveOption('plugins', options.plugins, place('plugins')) as string[]),
  )
  if (given.length > 0) await addPlugins(given)
}

/**
 * Loads plug-ins, which may add options.
 * @throws ConfigError of `loadPlugins`, and [plugin-name-taken] for an option whose name is in use
 */
export async function addPlugins(given: readonly string[]): Promise<void> {
  const { loadPlugins } = await import('../plugins/load-plugins.ts')
  await loadPlugins(given)
  requireOwnOptions()
}

function merge(layers: readonly Layer[]): Pick<GatheredOptions, 'options' | 'origins'> {
  const options: Record<string, unknown> = {}
  const origins: Partial<Record<OptionName, Origin>> = {}
  for (const layer of layers) {
    requireKnown(Object.keys(layer.options), layer.file)
    for (const [name, value] of Object.entries(withPresentNames(layer.options))) {
      const place = layer.place(name)
      resolveOption(name as OptionName, value, place)
      // Plug-ins add up: each layer may need its own.
      options[name] = name === 'plugins' ? [options[name] ?? [], value].flat() : value
      origins[name as OptionName] = { source: layer.source, place }
    }
  }
  return { options, origins }
}

function noticesOf(files: readonly string[], layers: readonly Layer[]): string[] {
  const used = files.length === 0 ? [] : [`options are read from ${files.join(' and ')}`]
  const [flags, env] = ['flag', 'env'].map(source => layers.find(layer => layer.source === source)?.options)
  const overridden = Object.keys(flags ?? {}).filter(name => name in (env ?? {}))
  return [...used, ...overridden.map(name => `${variableOf(name)} overrides ${flagOf(name)}`)]
}
