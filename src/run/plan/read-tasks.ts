import type { LoadOptions } from '../../../tasks/benchmark.ts'
import { loadBenchmark, readBenchmark } from '../../../tasks/load-benchmark.ts'
import { benchmarks } from '../../../tasks/registry.ts'
import { type SpreadsheetMapping, spreadsheetMappingSchema } from '../../../tasks/spreadsheet/mapping.ts'
import type { ValidatedTasks } from '../../../tasks/validate/validate-tasks.ts'
import type { RunConfig } from '../../config.ts'

/** The options that decide which files tasks are read from. */
export interface TasksPlace {
  readonly tasks: string
  readonly benchmark: string
}

/** The options that decide how tasks are read. */
export interface TaskOptions extends TasksPlace {
  readonly spreadsheet: RunConfig['spreadsheet']
}

/**
 * Reads and validates the tasks of a run.
 *
 * @throws DataError [no-task] when no record can be used
 */
export async function readTasks(options: TaskOptions): Promise<ValidatedTasks> {
  return await loadBenchmark(options.benchmark, options.tasks, await loadOptions(options.spreadsheet))
}

/** Reads and validates tasks for a check. A file without any valid task is no error here. */
export async function readTasksToCheck(options: TaskOptions): Promise<ValidatedTasks> {
  return await readBenchmark(options.benchmark, options.tasks, await loadOptions(options.spreadsheet))
}

/** Returns the task options of a run from its manifest; null when its benchmark is unknown. */
export function readTaskOptions(config: Readonly<Record<string, unknown>>): TaskOptions | null {
  const { tasks, benchmark, spreadsheet } = config
  if (typeof tasks !== 'string' || typeof benchmark !== 'string') return null
  if (!benchmarks.has(benchmark)) return null
  const mapping = spreadsheetMappingSchema.safeParse(spreadsheet)
  return { tasks, benchmark, spreadsheet: mapping.data ?? null }
}

async function loadOptions(spreadsheet: SpreadsheetMapping | null): Promise<LoadOptions> {
  const { readWorkbook } = await import('../../../retrieval/office/xlsx.ts')
  return { spreadsheet, readWorkbook }
}
