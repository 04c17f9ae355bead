import { existsSync } from 'node:fs'
import { benchmarks } from '../../../tasks/registry.ts'
import type { Task } from '../../core/task.ts'
import type { Manifest } from '../folder/manifest.ts'
import { hashOfTasks } from '../folder/tasks-hash.ts'

/**
 * A run's tasks by their ids, from where the run read them; none where they are no longer there or have changed, as
 * their questions and gold would not be the run's.
 */
export async function tasksAtHand({ config, identity }: Manifest): Promise<ReadonlyMap<string, Task>> {
  const { tasks: path, benchmark } = config
  if (typeof path !== 'string' || typeof benchmark !== 'string' || !existsSync(path)) return new Map()
  if (!Object.hasOwn(benchmarks, benchmark)) return new Map()
  if ((await hashOfTasks(path)) !== identity.tasksSha256) return new Map()
  const { tasks } = await benchmarks[benchmark as keyof typeof benchmarks].load(path)
  return new Map(tasks.map(task => [task.question.taskId, task]))
}
