import { agents } from '../../agents/agent-registry.ts'
import { settings } from '../../agents/registry.ts'
import { logFormats } from '../../logs/import/registry.ts'
import { embedders, retrievers, vectorStores } from '../../retrieval/registry.ts'
import { type Benchmark, type BenchmarkDefinition, defineBenchmark } from '../../tasks/benchmark.ts'
import { benchmarks, scorers } from '../../tasks/registry.ts'
import { pageReaders } from '../../tools/page/registry.ts'
import { tools } from '../../tools/registry.ts'
import { searchServices } from '../../tools/search/registry.ts'
import { ConfigError } from '../core/errors.ts'
import { answerKindNames } from '../core/metric.ts'
import type { Prompts } from '../core/prompts.ts'
import type { Registry } from '../core/registry.ts'
import { modelProviders } from '../models/registry.ts'
import { isObject } from '../text/json.ts'
import type { PluginField } from './define-plugin.ts'

/** The type of a member of an entry. A list means one of its values. */
export type MemberType = 'a text' | 'a text or null' | 'a list' | 'a function' | readonly (string | null)[]

/** How the entries of one field of a plug-in are checked and registered. */
interface PluginFieldKind {
  readonly registry: Registry<object>
  /** The required members of an entry, besides `summary`. */
  readonly members: Readonly<Record<string, MemberType>>
  /** Fills in optional members of an entry. */
  complete?(entry: object): object
}

/** The registry of each field of a plug-in, and the members that are checked when the plug-in is loaded. */
export const pluginFields: Readonly<Record<PluginField, PluginFieldKind>> = {
  benchmarks: {
    registry: benchmarks,
    members: { load: 'a function' },
    complete: entry => completeBenchmark(entry as BenchmarkDefinition),
  },
  scorers: { registry: scorers, members: { kind: answerKindNames, metrics: 'a list', score: 'a function' } },
  tools: { registry: tools, members: { kind: ['search', 'fetch', null], create: 'a function' } },
  searchServices: {
    registry: searchServices,
    members: { keyVariable: 'a text or null', baseUrlVariable: 'a text or null', create: 'a function' },
  },
  pageReaders: {
    registry: pageReaders,
    members: { keyVariable: 'a text or null', baseUrlVariable: 'a text or null', create: 'a function' },
  },
  models: {
    registry: modelProviders,
    members: { keyVariable: 'a text or null', package: 'a text or null', create: 'a function' },
  },
  embedders: { registry: embedders, members: { example: 'a text or null', load: 'a function' } },
  vectorStores: { registry: vectorStores, members: { load: 'a function' } },
  retrievers: { registry: retrievers, members: { load: 'a function' } },
  settings: { registry: settings, members: { source: ['documents', 'web', 'memory'], run: 'a function' } },
  agents: { registry: agents, members: { run: 'a function' } },
  logFormats: { registry: logFormats, members: { load: 'a function' } },
}

/** Completes the definition of a plug-in's benchmark. What `prompts` and `inputs` return is checked when they are called. */
export function completeBenchmark(definition: BenchmarkDefinition): Benchmark {
  const { prompts, inputs } = definition
  return defineBenchmark({
    ...definition,
    load: (path, options) => definition.load(path, options),
    ...(typeof prompts === 'function' && {
      prompts: async () => checkPrompts(await prompts.call(definition)),
    }),
    ...(inputs !== undefined && {
      inputs: async path => checkInputs(await inputs.call(definition, path), path),
    }),
  })
}

const promptFunctions = ['withDocuments', 'online', 'closedBook', 'furtherTurn']

function checkPrompts(prompts: unknown): Prompts {
  const isComplete =
    isObject(prompts) &&
    typeof prompts.hash === 'string' &&
    promptFunctions.every(name => typeof prompts[name] === 'function')
  if (isComplete) return prompts as unknown as Prompts
  throw makeInvalidResultError(
    `prompts() returned no prompts. Return an object with the text hash and the functions ${promptFunctions.join(', ')}.`,
  )
}

function checkInputs(inputs: unknown, path: string): readonly string[] {
  const areFiles =
    Array.isArray(inputs) &&
    inputs.length > 0 &&
    inputs.every(file => typeof file === 'string' && file !== '')
  if (areFiles) return inputs as string[]
  throw makeInvalidResultError(
    `inputs('${path}') returned no files. Return a list with the path of every file that the tasks come from.`,
  )
}

function makeInvalidResultError(message: string): ConfigError {
  return new ConfigError(`${message} See docs/plugins.md.`, { code: 'plugin-invalid' })
}
