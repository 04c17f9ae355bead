import { settings } from '../../agents/registry.ts'
import { logFormats } from '../../logs/import/registry.ts'
import { embedders, retrievers, vectorStores } from '../../retrieval/registry.ts'
import { type BenchmarkDefinition, defineBenchmark } from '../../tasks/benchmark.ts'
import { benchmarks } from '../../tasks/registry.ts'
import { pageReaders } from '../../tools/page/registry.ts'
import { tools } from '../../tools/registry.ts'
import { searchServices } from '../../tools/search/registry.ts'
import type { Registry } from '../core/registry.ts'
import { modelProviders } from '../models/registry.ts'
import { scorers } from '../score/registry.ts'
import type { PluginField } from './define-plugin.ts'

/** What a member of an entry must be; a list: one of these. */
export type MemberType = 'a text' | 'a function' | 'a text or null' | readonly (string | null)[]

export interface PluginFieldKind {
  readonly registry: Registry<object>
  /** The members that an entry cannot do without, beside `summary`. */
  readonly members: Readonly<Record<string, MemberType>>
  /** Fills in what an entry may leave out. */
  complete?(entry: object): object
}

/** Where the entries of each field of a plug-in go, and what is checked of them when the plug-in is loaded. */
export const pluginFields: Readonly<Record<PluginField, PluginFieldKind>> = {
  benchmarks: {
    registry: benchmarks,
    members: { load: 'a function' },
    complete: entry => defineBenchmark(entry as BenchmarkDefinition),
  },
  scorers: {
    registry: scorers,
    members: { kind: ['table', 'json', 'text'], score: 'a function' },
  },
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
  settings: {
    registry: settings,
    members: { source: ['documents', 'web', 'memory'], run: 'a function' },
  },
  logFormats: { registry: logFormats, members: { load: 'a function' } },
}
