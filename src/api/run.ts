import type { RunOptions } from '../config.ts'
import type { RunHooks, RunSummary } from '../run.ts'
import { loadPluginsOption } from './plugins.ts'

/**
 * Runs attempts as `tablehunt run` does, and scores them. Calling it again with the same folder resumes the
 * run.
 *
 * @param options the flags of the command in camelCase; `tasks` and `out` are required. Config files and `TABLEHUNT_…`
 * variables are not read
 * @param hooks functions that receive progress events, and signals that stop the run
 * @returns the report and the records; `left` is the number of attempts that were not made because the run was stopped or a
 * service failed
 * @throws ConfigError or DataError for wrong input, before anything is spent; RunError when the run could not be carried out.
 * Each has a `code`, such as `unknown-setting`, `no-task` or `folder-in-use`
 *
 * @example
 * import { run } from 'tablehunt'
 *
 * const options = { tasks: 'tasks.jsonl', docs: 'documents', setting: 'offline', out: 'runs/offline' }
 * const { report, left } = await run(options, {
 *   tell: event => {
 *     if (event.type === 'recorded') console.log(`${event.attempts} attempts`)
 *   },
 * })
 * console.log(left, report.groups[0]?.metrics.cellF1?.mean)
 */
export async function run(options: RunOptions, hooks: Partial<RunHooks> = {}): Promise<RunSummary> {
  await loadPluginsOption(options.plugins)
  const { resolveConfig } = await import('../config.ts')
  const { executeRun } = await import('../run.ts')
  return await executeRun(resolveConfig(options), hooks)
}
