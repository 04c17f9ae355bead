import type { ValidatedTasks } from '../../tasks/validate/validate-tasks.ts'
import type { RunOptions } from '../config.ts'
import { loadPluginsOption, type PluginsOption } from './plugins.ts'

/**
 * The benchmark that reads the tasks, and its options.
 *
 * @example
 * import type { LoadTasksOptions } from 'tablehunt'
 *
 * const options: LoadTasksOptions = { benchmark: 'aoe' }
 */
export interface LoadTasksOptions extends PluginsOption {
  benchmark?: RunOptions['benchmark']
  spreadsheet?: RunOptions['spreadsheet']
}

/**
 * Loads and validates the tasks of a benchmark, gold included. Documents are not loaded.
 *
 * @param path the file or folder of the tasks
 * @returns tasks that can run, records that cannot (`skipped`), and the problems of both (`problems`)
 * @throws ConfigError [unknown-benchmark, plugin-not-found] DataError [no-task] when no record can be used
 *
 * @example
 * import { loadTasks, score } from 'tablehunt'
 *
 * const { tasks, skipped } = await loadTasks('tasks.jsonl', { benchmark: 'aoe' })
 * console.log(`${tasks.length} tasks, ${skipped.length} skipped`)
 * const { metrics } = await score('hospital,beds\nNorth Clinic,120', tasks[0]!)
 * console.log(metrics.cellF1)
 */
export async function loadTasks(path: string, options: LoadTasksOptions = {}): Promise<ValidatedTasks> {
  await loadPluginsOption(options.plugins)
  const { parseOption } = await import('../config.ts')
  const { readTasks } = await import('../run/plan/read-tasks.ts')
  const benchmark = parseOption('benchmark', options.benchmark)
  const spreadsheet = parseOption('spreadsheet', options.spreadsheet)
  return await readTasks({ tasks: path, benchmark, spreadsheet })
}
