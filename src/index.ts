/**
 * Tablehunt's public API: run attempts, score answers, read runs.
 * Types are the records of attempts.jsonl and scores.jsonl.
 */
export { type ConfigFile, defineConfig } from './config/define-config.ts'
export type { RunConfig, RunOptions } from './config.ts'
export type { Attempt, Termination, Usage } from './core/attempt.ts'
export { ConfigError, DataError, RunError } from './core/errors.ts'
export type { Score, ScoredCell } from './core/score.ts'
export type { GoldRow, Question, TableGold, Task } from './core/task.ts'
export type { Report } from './report/model/report.ts'
export { type RunRecords, readRun } from './run/records/run-folder.ts'
export type { RunHooks, RunSummary } from './run.ts'
export { type ParsedAnswer, parseAnswer } from './score/parse-answer.ts'

import { type RunOptions, resolveConfig } from './config.ts'
import type { RunHooks, RunSummary } from './run.ts'

/**
 * Runs attempts as `tablehunt run` does: options are its flags in camelCase. Resolves when every attempt of the plan has
 * a record or it was stopped (`left` of the summary); rejects with ConfigError or DataError for wrong input, with RunError
 * where the run could not be carried out. Nothing is printed; `hooks` says who listens and who may stop it.
 */
export async function run(options: RunOptions, hooks: Partial<RunHooks> = {}): Promise<RunSummary> {
  const { executeRun } = await import('./run.ts')
  return await executeRun(resolveConfig(options), hooks)
}
