import { ConfigError } from '../core/errors.ts'
import type { PluginField } from '../plugins/define-plugin.ts'
import { loadPlugins } from '../plugins/load-plugins.ts'
import { pluginFields } from '../plugins/plugin-kinds.ts'
import { type AgentSample, agentContract } from './agent.ts'
import { type BenchmarkSample, benchmarkContract } from './benchmark.ts'
import { type Check, type Contract, declareTests, type TestFramework } from './contract.ts'
import { type EmbedderSample, embedderContract } from './embedder.ts'
import { type LogFormatSample, logFormatContract } from './log-format.ts'
import { type ModelProviderSample, modelProviderContract } from './model-provider.ts'
import { type PageReaderSample, pageReaderContract } from './page-reader.ts'
import { type RetrieverSample, retrieverContract } from './retriever.ts'
import { type ScorerSample, scorerContract } from './scorer.ts'
import { type SearchServiceSample, searchServiceContract } from './search-service.ts'
import { type SettingSample, settingContract } from './setting.ts'
import { type ToolSample, toolContract } from './tool.ts'
import { type VectorStoreSample, vectorStoreContract } from './vector-store.ts'

/** What each kind of part is tested with, by the fields of a plug-in. */
export interface Samples {
  readonly benchmarks: BenchmarkSample
  readonly scorers: ScorerSample
  readonly tools: ToolSample
  readonly searchServices: SearchServiceSample
  readonly pageReaders: PageReaderSample
  readonly models: ModelProviderSample
  readonly embedders: EmbedderSample
  readonly vectorStores: VectorStoreSample
  readonly retrievers: RetrieverSample
  readonly settings: SettingSample
  readonly agents: AgentSample
  readonly logFormats: LogFormatSample
}

/** The contract of each kind of part. Each has checks for the entry of a name in its registry. */
export const contracts: { readonly [Field in PluginField]: Contract<Samples[Field]> } = {
  benchmarks: benchmarkContract,
  scorers: scorerContract,
  tools: toolContract,
  searchServices: searchServiceContract,
  pageReaders: pageReaderContract,
  models: modelProviderContract,
  embedders: embedderContract,
  vectorStores: vectorStoreContract,
  retrievers: retrieverContract,
  settings: settingContract,
  agents: agentContract,
  logFormats: logFormatContract,
}

/**
 * What each part of a plug-in is tested with, by its field and its name.
 *
 * @example
 * import type { PluginSamples } from 'tablehunt/testing'
 *
 * const samples: PluginSamples = {
 *   tools: { to_euro: { input: { amount: 10, currency: 'USD' }, answer: /9 EUR/ } },
 *   scorers: { exact: { gold: { kind: 'text', references: ['Paris'] }, wrongAnswer: 'Rome' } },
 * }
 */
export type PluginSamples = {
  readonly [Field in PluginField]?: Readonly<Record<string, Samples[Field]>>
}

/**
 * The checks of one part of a plug-in.
 *
 * @example
 * import { type PartChecks, pluginChecks } from 'tablehunt/testing'
 *
 * async function runAll({ part, checks }: PartChecks): Promise<void> {
 *   for (const check of checks) await check.run()
 *   console.log(`${part}: passed`)
 * }
 * for (const checks of await pluginChecks('./euro.ts', {})) await runAll(checks)
 */
export interface PartChecks {
  /** Such as `benchmark capitals`. */
  readonly part: string
  /** Run each of them, in any order. */
  readonly checks: readonly Check[]
}

/**
 * Declares a test for everything that the parts of a plug-in must do. The plug-in is loaded as `--plugin` loads it.
 *
 * @param plugin a path relative to the working folder, or the name of an installed package
 * @param framework the `describe` and `it` of vitest, node:test or another framework that has them
 * @throws ConfigError [sample-missing, sample-unknown] and those of a plug-in that cannot be loaded
 *
 * @example
 * import { describe, it } from 'node:test'
 * import { testPlugin } from 'tablehunt/testing'
 *
 * const samples = { tools: { to_euro: { input: { amount: 10, currency: 'USD' }, answer: /9 EUR/ } } }
 * await testPlugin('./euro.ts', samples, { describe, it })
 */
export async function testPlugin(
  plugin: string,
  samples: PluginSamples,
  framework: TestFramework,
): Promise<void> {
  for (const { part, checks } of await pluginChecks(plugin, samples)) declareTests(part, checks, framework)
}

/**
 * The same checks, to be run without a test framework or by another one.
 *
 * @throws ConfigError [sample-missing, sample-unknown] and those of a plug-in that cannot be loaded
 *
 * @example
 * import { pluginChecks } from 'tablehunt/testing'
 *
 * const samples = { tools: { to_euro: { input: { amount: 10, currency: 'USD' }, answer: /9 EUR/ } } }
 * for (const { checks } of await pluginChecks('./euro.ts', samples)) for (const check of checks) await check.run()
 */
export async function pluginChecks(plugin: string, samples: PluginSamples): Promise<PartChecks[]> {
  const [loaded] = await loadPlugins([plugin])
  return (Object.keys(pluginFields) as PluginField[]).flatMap(field =>
    fieldChecks(field, loaded!.name, samples[field] ?? {}),
  )
}

function fieldChecks<Field extends PluginField>(
  field: Field,
  origin: string,
  samples: Readonly<Record<string, Samples[Field]>>,
): PartChecks[] {
  const { registry } = pluginFields[field]
  const names = registry.names().filter(name => registry.originOf(name) === origin)
  const stray = Object.keys(samples).find(name => !names.includes(name))
  if (stray !== undefined)
    throw new ConfigError(`samples.${field}.${stray}: the plug-in ${origin} has no such part. Remove it.`, {
      code: 'sample-unknown',
    })
  return names.map(name => {
    const sample = samples[name]
    if (sample === undefined)
      throw new ConfigError(`samples.${field}.${name} is missing: say what the part is tested with`, {
        code: 'sample-missing',
      })
    return { part: `${registry.kind} ${name}`, checks: contracts[field](name, sample) }
  })
}
