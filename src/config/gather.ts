import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type OptionName, requireKnown, resolveOption } from '../config.ts'
import { flagOf } from '../core/flag-of.ts'
import { readEnvironment, variableOf } from './environment.ts'
import { readConfigFile } from './read-file.ts'

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
  place(name: string): string
}

/**
 * Merges tablehunt.config.ts, tablehunt.config.json (or the file of --config in place of both), flags and TABLEHUNT_…
 * variables; each overrides those before it. Every value is checked where it stands, overridden ones too: ConfigError
 * names the place.
 */
export async function gatherOptions(sources: ConfigSources): Promise<GatheredOptions> {
  const files =
    sources.file !== null
      ? [sources.file]
      : configFileNames.map(name => short(join(sources.folder, name))).filter(existsSync)
  const environment = readEnvironment(sources.env)
  const layers: Layer[] = []
  for (const file of files) {
    const options = await readConfigFile(file)
    layers.push({ source: 'file', options, place: name => `${file}: ${name}` })
  }
  layers.push({ source: 'flag', options: sources.flags, place: flagOf })
  layers.push({ source: 'env', options: environment.options, place: variableOf })
  return { ...merge(layers), files, notices: [...noticesOf(files, layers), ...environment.notices] }
}

/** As a person would write it here. */
function short(path: string): string {
  const fromHere = relative('', path)
  return fromHere.startsWith('..') ? path : fromHere
}

function merge(layers: readonly Layer[]): Pick<GatheredOptions, 'options' | 'origins'> {
  const options: Record<string, unknown> = {}
  const origins: Partial<Record<OptionName, Origin>> = {}
  for (const layer of layers) {
    requireKnown(Object.keys(layer.options), null)
    for (const [name, value] of Object.entries(layer.options)) {
      const place = layer.place(name)
      resolveOption(name as OptionName, value, place)
      options[name] = value
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
