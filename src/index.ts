/**
 * Tablehunt's public API: run attempts, score answers, read runs.
 * Types are the records of attempts.jsonl and scores.jsonl.
 */
export { z } from 'zod/v4'
export type { Setting } from '../agents/setting.ts'
export type { LogFormatEntry } from '../logs/import/registry.ts'
export type { EmbedderEntry, RetrieverEntry, VectorStoreEntry } from '../retrieval/registry.ts'
export { type Benchmark, type BenchmarkDefinition, defineBenchmark } from '../tasks/benchmark.ts'
export { defineTool } from '../tools/define-tool.ts'
export type { PageReaderEntry } from '../tools/page/registry.ts'
export type { ToolEntry } from '../tools/registry.ts'
export type { SearchServiceEntry } from '../tools/search/registry.ts'
export { type ConfigFile, defineConfig } from './config/define-config.ts'
export type { RunConfig, RunOptions } from './config.ts'
export type { Attempt, Termination, Usage } from './core/attempt.ts'
export { ConfigError, DataError, PluginError, ProviderError, RunError, ToolError } from './core/errors.ts'
export type { MetricDefinition } from './core/metric.ts'
export { armPerElement, type OptionSpec, oneArm, optionOf } from './core/option-spec.ts'
export type { Score, ScoredCell } from './core/score.ts'
export type { Gold, GoldRow, JsonGold, Question, TableGold, Task, TextGold } from './core/task.ts'
export type { ModelProvider } from './models/model-source.ts'
export { openAiProvider } from './models/openai.ts'
export { definePlugin, type Plugin } from './plugins/define-plugin.ts'
export type { Report } from './report/model/report.ts'
export { type RunRecords, readRun } from './run/records/run-folder.ts'
export type { RunHooks, RunSummary } from './run.ts'
export { type ParsedAnswer, parseAnswer } from './score/parse-answer.ts'
export type { NotScored, Scored, Scorer, ScoringInput } from './score/scorer.ts'

import { type RunOptions, resolveConfig, resolveOption } from './config.ts'
import type { RunHooks, RunSummary } from './run.ts'

/**
 * Runs attempts as `tablehunt run` does: options are its flags in camelCase. Resolves when every attempt of the plan has
 * a record or it was stopped (`left` of the summary); rejects with ConfigError or DataError for wrong input, with RunError
 * where the run could not be carried out. Nothing is printed; `hooks` says who listens and who may stop it.
 */
export async function run(options: RunOptions, hooks: Partial<RunHooks> = {}): Promise<RunSummary> {
  const { executeRun } = await import('./run.ts')
  const { addPlugins } = await import('./config/gather.ts')
  await addPlugins(resolveOption('plugins', options.plugins) as string[])
  return await executeRun(resolveConfig(options), hooks)
}
