import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import {
  describeFileOnly,
  listOptions,
  type OptionName,
  type ParsedOptions,
  parseOption,
  requireKnown,
  requireOwnOptions,
  runOptions,
} from '../config.ts'
import { ConfigError } from '../core/errors.ts'
import { nearestName } from '../core/nearest-name.ts'
import { formatFlag, type OptionCommand, type OptionSpec } from '../core/option-spec.ts'
import { isPluginFile } from '../plugins/find-plugin.ts'
import { isObject } from '../text/json.ts'
import { requireScorers } from './benchmark-defaults.ts'
import { readConfigFile } from './read-config-file.ts'

const prefix = 'TABLEHUNT_'

/** Variables with the prefix that are not options. */
const otherVariables = /^TABLEHUNT_(?:CHROMIUM|RERANK_)/

/** Returns the variable of an option: `TABLEHUNT_BUDGET_WALL` for `budgetWall`. */
export function formatVariable(name: string): string {
  return prefix + name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()
}

interface EnvironmentOptions {
  readonly options: Readonly<Record<string, unknown>>
  /** A line for each variable that is probably a misspelt option. */
  readonly notices: readonly string[]
}

/**
 * Reads the options in the environment. Empty variables are ignored.
 *
 * @throws ConfigError [invalid-option] for a switch that is neither true nor false, [config-file-only]
 */
export function readEnvironment(env: NodeJS.ProcessEnv): EnvironmentOptions {
  const byVariable = new Map(Object.keys(runOptions).map(name => [formatVariable(name), name as OptionName]))
  const options: Record<string, unknown> = {}
  const notices: string[] = []
  for (const [variable, text] of Object.entries(env)) {
    if (text === undefined || text === '' || !variable.startsWith(prefix)) continue
    const name = byVariable.get(variable)
    if (name !== undefined && runOptions[name].flag === 'none')
      throw new ConfigError(describeFileOnly(variable, name), { code: 'config-file-only' })
    if (name !== undefined) options[name] = readValue(variable, runOptions[name], text)
    else if (!otherVariables.test(variable))
      notices.push(...describeMisspelt(variable, [...byVariable.keys()]))
  }
  return { options, notices }
}

function readValue(variable: string, spec: OptionSpec, text: string): unknown {
  if (spec.repeats) return text.split(',').map(part => part.trim())
  if (spec.value !== null) return text
  if (['true', '1'].includes(text)) return true
  if (['false', '0'].includes(text)) return false
  throw new ConfigError(`${variable}: '${text}' is not valid: expected true or false`, {
    code: 'invalid-option',
  })
}

/** Other programs may use names with the prefix, so a misspelt option is only a notice. */
function describeMisspelt(variable: string, optionNames: readonly string[]): string[] {
  const bare = (name: string): string => name.slice(prefix.length)
  const nearest = nearestName(bare(variable), optionNames.map(bare))
  return nearest === null ? [] : [`${variable} is not an option: did you mean ${prefix}${nearest}?`]
}

/** The config files that are read from the working folder, in this order. */
export const configFileNames = ['tablehunt.config.ts', 'tablehunt.config.json'] as const

/** Where the value of an option comes from. */
export interface Origin {
  readonly source: 'file' | 'flag' | 'env'
  /** The file and name, the flag or the variable. */
  readonly place: string
}

/** The options of a command, from all sources. */
export interface GatheredOptions {
  readonly options: ParsedOptions
  readonly origins: Readonly<Partial<Record<OptionName, Origin>>>
  readonly files: readonly string[]
  /** Lines for the user: the files that were read, flags that the environment overrides, misspelt variables. */
  readonly notices: readonly string[]
}

/** Where options come from. */
export interface ConfigSources {
  /** The working folder. */
  readonly folder: string
  /** The file of --config, which replaces the files of the folder; null without the flag. */
  readonly file: string | null
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: NodeJS.ProcessEnv
}

interface OptionLayer {
  readonly source: Origin['source']
  readonly options: Readonly<Record<string, unknown>>
  /** The file that contains the options; null for flags and variables. */
  readonly file: string | null
  place(name: string): string
}

/**
 * Merges the options of tablehunt.config.ts, tablehunt.config.json, flags and TABLEHUNT_… variables. Each source overrides
 * the earlier ones. The file of --config replaces both config files. Every value is checked, also when it is overridden.
 *
 * @throws ConfigError of `readConfigFile`, `parseOption` and `loadPlugins`, whose messages name the place
 */
export async function gatherOptions(sources: ConfigSources): Promise<GatheredOptions> {
  const { files, layers, misspelt } = await readLayers(sources)
  await loadLayerPlugins(layers)
  return { ...merge(layers), files, notices: [...writeNotices(files, layers), ...misspelt] }
}

interface Layers {
  readonly files: readonly string[]
  readonly layers: readonly OptionLayer[]
  readonly misspelt: readonly string[]
}

async function readLayers(sources: ConfigSources): Promise<Layers> {
  const files =
    sources.file !== null
      ? [sources.file]
      : configFileNames.map(name => shortenValue(join(sources.folder, name))).filter(existsSync)
  const environment = readEnvironment(sources.env)
  const layers: OptionLayer[] = []
  for (const file of files) {
    const options = resolveBesideFile(await readConfigFile(file), file)
    layers.push({ source: 'file', options, file, place: name => `${file}: ${name}` })
  }
  layers.push({ source: 'flag', options: sources.flags, file: null, place: formatFlag })
  layers.push({ source: 'env', options: environment.options, file: null, place: formatVariable })
  return { files, layers, misspelt: environment.notices }
}

/** Returns the path relative to the working folder when it is below it. */
function shortenValue(path: string): string {
  const fromHere = relative('', path)
  return fromHere.startsWith('..') ? path : fromHere
}

/** Makes paths of plug-ins and agents, which are relative to the config file, relative to the working folder. */
function resolveBesideFile(options: Record<string, unknown>, file: string): Record<string, unknown> {
  const { plugins, agents } = options
  const beside = (path: string): string => shortenValue(resolve(dirname(file), path))
  const pluginBeside = (value: unknown): unknown =>
    typeof value === 'string' && isPluginFile(value) ? beside(value) : value
  const agentBeside = (value: unknown): unknown => {
    if (!isObject(value)) return value
    const { cwd, reads } = value
    return {
      ...value,
      ...(typeof cwd === 'string' ? { cwd: beside(cwd) || '.' } : {}),
      ...(Array.isArray(reads)
        ? { reads: reads.map(path => (typeof path === 'string' ? beside(path) || '.' : path)) }
        : {}),
    }
  }
  return {
    ...options,
    ...(Array.isArray(plugins) || typeof plugins === 'string'
      ? { plugins: [plugins].flat().map(pluginBeside) }
      : {}),
    ...(isObject(agents)
      ? {
          agents: Object.fromEntries(
            Object.entries(agents).map(([name, agent]) => [name, agentBeside(agent)]),
          ),
        }
      : {}),
  }
}

/** Loads the plug-ins of all sources, for a command that uses no other option of a config file. */
export async function loadGivenPlugins(sources: ConfigSources): Promise<void> {
  await loadLayerPlugins((await readLayers(sources)).layers)
}

/**
 * Adds the options that only a config file can set to the flags of a command that uses nothing else of the file.
 *
 * @param file the file of --config; null reads the config files of the working folder
 * @throws ConfigError of `readConfigFile`
 */
export async function addFileOptions(
  command: OptionCommand,
  flags: Readonly<Record<string, unknown>>,
  file: string | null,
): Promise<Readonly<Record<string, unknown>>> {
  const { layers } = await readLayers({ folder: process.cwd(), file, flags: {}, env: {} })
  const names = listOptions(command).filter(name => runOptions[name].flag === 'none')
  const values = layers.flatMap(({ options }) => Object.entries(options))
  const added = values.filter(([name]) => (names as readonly string[]).includes(name))
  return { ...Object.fromEntries(added), ...flags }
}

/**
 * Returns the values of some options in the config files of the working folder and in the environment.
 *
 * @throws ConfigError of `readConfigFile` and `parseOption`
 */
export async function readOptionsNamed(names: readonly string[]): Promise<ParsedOptions> {
  if (names.length === 0) return {}
  const sources = { folder: process.cwd(), file: null, flags: {}, env: process.env }
  const { layers } = await readLayers(sources)
  const isNamed = ([name]: readonly [string, unknown]): boolean => names.includes(name)
  return merge(
    layers.map(layer => ({
      ...layer,
      options: Object.fromEntries(Object.entries(layer.options).filter(isNamed)),
    })),
  ).options
}

/** Loads plug-ins before other options are checked, because those may name entries of plug-ins. */
async function loadLayerPlugins(layers: readonly OptionLayer[]): Promise<void> {
  const plugins = layers.flatMap(({ options, place }) =>
    parseOption('plugins', options.plugins, place('plugins')),
  )
  if (plugins.length > 0) await addPlugins(plugins)
}

/**
 * Loads plug-ins, which may add options.
 *
 * @throws ConfigError of `loadPlugins`, and [plugin-name-taken] for an option whose name is in use
 */
export async function addPlugins(plugins: readonly string[]): Promise<void> {
  const { loadPlugins } = await import('../plugins/load-plugins.ts')
  await loadPlugins(plugins)
  requireOwnOptions()
}

function merge(layers: readonly OptionLayer[]) {
  const options: Record<string, unknown> = {}
  const origins: Partial<Record<OptionName, Origin>> = {}
  const benchmark =
    layers.findLast(layer => layer.options.benchmark !== undefined)?.options.benchmark ?? 'aoe'
  for (const layer of layers) {
    requireKnown(Object.keys(layer.options), layer.file)
    for (const [name, value] of Object.entries(layer.options)) {
      const place = layer.place(name)
      if (name === 'scorer') requireScorers(value, benchmark, place)
      const parsed = parseOption(name as OptionName, value, place)
      // The plug-ins of all sources are loaded, because the options of each may name them.
      options[name] = name === 'plugins' ? [options[name] ?? [], parsed].flat() : parsed
      origins[name as OptionName] = { source: layer.source, place }
    }
  }
  return { options, origins }
}

function writeNotices(files: readonly string[], layers: readonly OptionLayer[]): string[] {
  const used = files.length === 0 ? [] : [`options are read from ${files.join(' and ')}`]
  const [flags, env] = ['flag', 'env'].map(source => layers.find(layer => layer.source === source)?.options)
  const overridden = Object.keys(flags ?? {}).filter(name => name in (env ?? {}))
  return [...used, ...overridden.map(name => `${formatVariable(name)} overrides ${formatFlag(name)}`)]
}
