import { DataError } from '../../core/errors.ts'
import type { Task } from '../../core/task.ts'
import { readTaskOptions, readTasks } from '../plan/read-tasks.ts'
import { describePath, type Manifest } from './manifest.ts'
import { hashTaskInputs, listChangedInputs } from './task-inputs.ts'

/**
 * Reads the tasks of a run again, by id.
 *
 * @throws DataError [no-gold, unknown-benchmark, tasks-missing, tasks-changed] when they are not those of the run
 */
export async function readTasksOfRun(manifest: Manifest): Promise<ReadonlyMap<string, Task>> {
  if (manifest.source === 'import' && manifest.config.tasks === undefined)
    throw new DataError(
      'imported logs contain no gold, so they cannot be scored. Import them again with --tasks FILE.',
      { code: 'no-gold' },
    )
  const options = readTaskOptions(manifest.config)
  if (options === null)
    throw new DataError(
      `the run's benchmark '${manifest.config.benchmark}' is unknown. Name its plug-in with --plugin, or use the version of Tablehunt that made the run.`,
      { code: 'unknown-benchmark' },
    )
  const path = options.tasks
  const inputs = await hashTaskInputs(options).catch((error: unknown) => {
    const fix = 'Run the command in the folder in which the run was begun, or put the tasks back.'
    throw new DataError(`${describePath(path)}: the run's tasks are missing. ${fix}`, {
      code: 'tasks-missing',
      cause: error,
    })
  })
  const changes = listChangedInputs(manifest, inputs)
  if (changes.length > 0)
    throw new DataError(
      `${path} has changed since the run (${changes.join('; ')}), so scores would compare answers with other tasks. Put the earlier files back, or make a new run.`,
      { code: 'tasks-changed' },
    )
  const { tasks } = await readTasks(options)
  return new Map(tasks.map(task => [task.question.taskId, task]))
}

const changedTaskCodes: readonly (string | undefined)[] = [
  'no-gold',
  'unknown-benchmark',
  'tasks-missing',
  'tasks-changed',
]

/**
 * Reads the tasks of a run like `readTasksOfRun`. Returns none when the files are missing or have changed: their questions and
 * gold would not be those of the run.
 */
export async function readTasksAtHand(manifest: Manifest): Promise<ReadonlyMap<string, Task>> {
  return await readTasksOfRun(manifest).catch((error: unknown) => {
    if (error instanceof DataError && changedTaskCodes.includes(error.code)) return new Map()
    throw error
  })
}
