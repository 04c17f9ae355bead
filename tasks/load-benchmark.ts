import { DataError } from '../src/core/errors.ts'
import type { LoadOptions } from './benchmark.ts'
import { benchmarks } from './registry.ts'
import { type ValidatedTasks, validateTasks } from './validate/validate-tasks.ts'

/** Loads and validates the tasks of a benchmark. Nothing is thrown for records that are wrong: `problems` lists them. */
export async function readBenchmark(
  name: string,
  path: string,
  options: LoadOptions,
): Promise<ValidatedTasks> {
  return validateTasks(path, await benchmarks.get(name).load(path, options))
}

/**
 * The same for a run, which needs a task.
 * @throws DataError [no-task] when no record can be used
 */
export async function loadBenchmark(
  name: string,
  path: string,
  options: LoadOptions,
): Promise<ValidatedTasks> {
  const loaded = await readBenchmark(name, path, options)
  if (loaded.tasks.length > 0) return loaded
  const [first] = loaded.skipped
  if (first === undefined) {
    throw new DataError(`${path}: no task found; --benchmark ${name} reads ${benchmarks.get(name).summary}`, {
      code: 'no-task',
    })
  }
  const record = first.recordId === null ? '' : ` (${first.recordId})`
  const count = loaded.skipped.length === 1 ? 'its one record' : `any of its ${loaded.skipped.length} records`
  throw new DataError(
    `${path}: can't use ${count}; ${first.file ?? path}:${first.line}${record}: ${first.problem}`,
    { code: 'no-task' },
  )
}
