import type { PluginField } from '../plugins/define-plugin.ts'
import { type AgentSample, agentContract } from './agent.ts'
import { type BenchmarkSample, benchmarkContract } from './benchmark.ts'
import type { Contract } from './contract.ts'
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
