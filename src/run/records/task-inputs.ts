import { stat } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { benchmarks } from '../../../tasks/registry.ts'
import { canonicalJson, sha256, sha256OfFile } from '../../core/hash.ts'
import type { TaskOptions } from '../plan/read-tasks.ts'

/** A file that tasks come from. */
export interface TaskInput {
  readonly path: string
  /** Its name below the folder of --tasks, or below the folder of the file that --tasks names, parted by '/'. */
  readonly place: string
}

/** Where tasks come from, as far as it says which files. */
export type TasksPlace = Pick<TaskOptions, 'tasks' | 'benchmark'>

/** Every file that the tasks come from, as their benchmark says, in the order of their places. */
export async function taskInputs({ tasks: path, benchmark }: TasksPlace): Promise<TaskInput[]> {
  const isFolder = (await stat(path)).isDirectory()
  const folder = isFolder ? path : dirname(path)
  const files = [...(isFolder ? [] : [path]), ...(await benchmarks.get(benchmark).inputs(path))]
  const byPlace = new Map(
    files.map(file => [relative(folder, resolve(file)).split(sep).join('/'), file] as const),
  )
  const inputs = [...byPlace].map(([place, file]) => ({ path: file, place }))
  return inputs.sort((a, b) => (a.place < b.place ? -1 : 1))
}

/** SHA-256 of everything that tasks come from: the bytes of the one file, or the places and bytes of several. */
export async function hashOfTasks(options: TasksPlace): Promise<string> {
  const inputs = await taskInputs(options)
  const [only, second] = inputs
  if (only !== undefined && second === undefined && resolve(only.path) === resolve(options.tasks))
    return await sha256OfFile(only.path)
  const hashes: [string, string][] = []
  for (const { path, place } of inputs) hashes.push([place, await sha256OfFile(path)])
  return sha256(canonicalJson(hashes))
}
