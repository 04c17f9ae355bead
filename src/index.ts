/**
 * The API of Tablehunt: run attempts, score answers, read and compare runs, define plug-ins (docs/library.md, docs/plugins.md).
 *
 * No function prints. Functions reject with ConfigError or DataError for wrong input, and with RunError when a run could not be
 * carried out. Each error has a stable `code`. Large modules are imported when a function first needs them.
 */
export { z } from 'zod/v4'
export type {
  AgentJob,
  AgentReport,
  AgentResult,
  AgentTask,
  ExternalAgent,
} from '../agents/external/agent-job.ts'
export { behindGateway } from '../agents/external/behind-gateway.ts'
export type { Agent, Setting } from '../agents/setting.ts'
export type { LogFormatEntry } from '../logs/import/registry.ts'
export type { EmbedderEntry, RetrieverEntry, VectorStoreEntry } from '../retrieval/registry.ts'
export {
  type Benchmark,
  type BenchmarkData,
  type BenchmarkDefinition,
  defineBenchmark,
} from '../tasks/benchmark.ts'
export type { ValidatedTasks } from '../tasks/validate/validate-tasks.ts'
export { defineTool } from '../tools/define-tool.ts'
export type { PageReaderEntry } from '../tools/page/registry.ts'
export type { ToolEntry } from '../tools/registry.ts'
export type { SearchServiceEntry } from '../tools/search/provider.ts'
export { type LoadTasksOptions, loadTasks } from './api/load-tasks.ts'
export {
  type CompareRunsOptions,
  compareRuns,
  type ReportOptions,
  readRun,
  report,
} from './api/read-run.ts'
export { run } from './api/run.ts'
export { type AnswerScore, type ScoreOptions, score } from './api/score.ts'
export { type ScoreRunOptions, scoreRun } from './api/score-run.ts'
export type { HandMadeGold, TaskToScore } from './api/task-to-score.ts'
export { type ConfigFile, defineConfig } from './config/define-config.ts'
export type { RunConfig, RunOptions } from './config.ts'
export type { Attempt } from './core/attempt.ts'
export { ConfigError, DataError, PluginError, ProviderError, RunError, ToolError } from './core/errors.ts'
export type { Gold, GoldRow, JsonGold, TableGold, TextGold } from './core/gold.ts'
export type { MetricDefinition } from './core/metric.ts'
export { armPerElement, defineOption, type OptionSpec, oneArm } from './core/option-spec.ts'
export type { Score } from './core/score.ts'
export type { ScoredCell, ScoredItem } from './core/scored-item.ts'
export type { Question, Task } from './core/task.ts'
export type { Termination } from './core/termination.ts'
export type { Usage } from './core/usage.ts'
export type { ModelProvider } from './models/model-source.ts'
export { openAiProvider } from './models/openai.ts'
export { definePlugin, type Plugin } from './plugins/define-plugin.ts'
export type { Comparison } from './report/compare/comparison.ts'
export type { Report } from './report/model/report.ts'
export type { RunRecords } from './run/records/read-records.ts'
export type { RunScoring } from './run/scores/score-run.ts'
export type { RunHooks, RunSummary } from './run.ts'
export { type ParsedAnswer, parseAnswer } from './score/answer/parse-answer.ts'
export type { NotScored, Scored, Scorer, ScoringInput } from './score/contract/scorer.ts'
export type { JudgeFunction } from './score/judge/function-judge.ts'
