import { existsSync } from 'node:fs'
import type { Task } from '../../core/task.ts'
import { readTasks, taskOptionsOf } from '../plan/read-tasks.ts'
import type { Manifest } from './manifest.ts'
import { hashOfTasks } from './tasks-hash.ts'

/**
 * A run's tasks by their ids, from where the run read them; none where they are no longer there or have changed, as
 * their questions and gold would not be the run's.
 */
export async function tasksAtHand({ config, identity }: Manifest): Promise<ReadonlyMap<string, Task>> {
  const options = taskOptionsOf(config)
  if (options === null || !existsSync(options.tasks)) return new Map()
  if ((await hashOfTasks(options.tasks)) !== identity.tasksSha256) return new Map()
  const { tasks } = await readTasks(options)
  return new Map(tasks.map(task => [task.question.taskId, task]))
}
