import type { Agent, Setting } from '../../agents/setting.ts'
import type { LogFormatEntry } from '../../logs/import/registry.ts'
import type { EmbedderEntry, RetrieverEntry, VectorStoreEntry } from '../../retrieval/registry.ts'
import type { BenchmarkDefinition } from '../../tasks/benchmark.ts'
import type { PageReaderEntry } from '../../tools/page/registry.ts'
import type { ToolEntry } from '../../tools/registry.ts'
import type { SearchServiceEntry } from '../../tools/search/provider.ts'
import type { ModelProvider } from '../models/model-source.ts'
import type { Scorer } from '../score/contract/scorer.ts'

/** Entries by the name that options and records use. */
type Entries<T> = Readonly<Record<string, T>>

/**
 * The parts that a plug-in adds. Each entry has the interface of the built-in entries of its kind (docs/plugins.md).
 *
 * @example
 * import type { Plugin } from 'tablehunt'
 *
 * const scorersOf = (plugin: Plugin): string[] => Object.keys(plugin.scorers ?? {})
 */
export interface Plugin {
  /**
   * Its name in messages and manifests. The default is the name of the package, or of the file without its
   * ending.
   */
  readonly name?: string
  readonly benchmarks?: Entries<BenchmarkDefinition>
  readonly scorers?: Entries<Scorer>
  readonly tools?: Entries<ToolEntry>
  readonly searchServices?: Entries<SearchServiceEntry>
  readonly pageReaders?: Entries<PageReaderEntry>
  readonly models?: Entries<ModelProvider>
  readonly embedders?: Entries<EmbedderEntry>
  readonly vectorStores?: Entries<VectorStoreEntry>
  readonly retrievers?: Entries<RetrieverEntry>
  readonly settings?: Entries<Setting>
  readonly agents?: Entries<Agent>
  readonly logFormats?: Entries<LogFormatEntry>
}

/** The fields of a plug-in that contain entries. */
export type PluginField = Exclude<keyof Plugin, 'name'>

/**
 * Returns the plug-in unchanged. With it, an editor knows its type.
 *
 * @example
 * import { definePlugin } from 'tablehunt'
 *
 * export default definePlugin({
 *   searchServices: {
 *     intranet: {
 *       summary: 'the search of our intranet',
 *       keyVariable: null,
 *       baseUrlVariable: 'INTRANET_URL',
 *       create: ({ baseUrl }) => ({
 *         name: 'intranet',
 *         search: async ({ query }, call) => {
 *           const answer = await call('GET', `${baseUrl}/find?q=${encodeURIComponent(query)}`, {}, null)
 *           return { hits: JSON.parse(new TextDecoder().decode(answer.body)) }
 *         },
 *       }),
 *     },
 *   },
 * })
 */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin
}
