import { stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { benchmarks } from '../../../tasks/registry.ts'
import { DataError } from '../../core/errors.ts'
import { whyUnreadable } from '../../system/files.ts'
import { canonicalJson, sha256, sha256OfFile } from '../../system/hash.ts'
import type { TasksPlace } from '../plan/read-tasks.ts'

/** A file that tasks are read from. */
export interface TaskInput {
  readonly path: string
  /** Its path relative to the folder of --tasks, or of the file that --tasks names. Separated by '/'. */
  readonly place: string
}

/** The SHA-256 of every file that a run's tasks are read from, by its place. */
export type InputHashes = Readonly<Record<string, string>>

/** Lists every file that the tasks are read from, as their benchmark names them, sorted by place. */
export async function describeTaskInputs({ tasks: path, benchmark }: TasksPlace): Promise<TaskInput[]> {
  const isFolder = (await stat(path)).isDirectory()
  const folder = resolve(isFolder ? path : dirname(path))
  const files = [...(await benchmarks.get(benchmark).inputs(path)), ...(isFolder ? [] : [path])]
  const byPlace = new Map(
    files.map(file => [relative(folder, resolve(file)).split(sep).join('/'), file] as const),
  )
  const inputs = [...byPlace].map(([place, file]) => ({ path: file, place }))
  return inputs.sort((a, b) => (a.place < b.place ? -1 : 1))
}

/**
 * Hashes every file that the tasks are read from.
 *
 * @throws DataError [unreadable-tasks]
 */
export async function hashTaskInputs(options: TasksPlace): Promise<InputHashes> {
  const unreadable = (file: string) => (error: unknown) => {
    throw new DataError(`${file}: ${whyUnreadable(error)}. Put it back, or correct --tasks.`, {
      code: 'unreadable-tasks',
      cause: error,
    })
  }
  const hashes: [string, string][] = []
  for (const input of await describeTaskInputs(options).catch(unreadable(options.tasks)))
    hashes.push([input.place, await sha256OfFile(input.path).catch(unreadable(input.path))])
  return Object.fromEntries(hashes)
}

/**
 * Returns `identity.tasksSha256`: the hash of the file, or of all files of a folder.
 */
export function hashTasks(path: string, inputs: InputHashes): string {
  const [only, ...furtherInputs] = Object.entries(inputs)
  if (only !== undefined && furtherInputs.length === 0 && only[0] === basename(path)) return only[1]
  return sha256(canonicalJson(Object.entries(inputs)))
}

/** Lists how the files of tasks differ from those of a run, one line each. Empty: they are the same. */
export function listChangedInputs(
  { inputs: before = {} }: { readonly inputs?: InputHashes | undefined },
  now: InputHashes,
): string[] {
  const [hashesBefore, hashesNow] = [Object.values(before), Object.values(now)]
  // The same file may have another name.
  if (hashesBefore.length === 1 && hashesNow.length === 1 && hashesBefore[0] === hashesNow[0]) return []
  const places = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort()
  return places.flatMap(place => {
    if (before[place] === now[place]) return []
    const how =
      before[place] === undefined ? 'was added' : now[place] === undefined ? 'is missing' : 'has changed'
    return [`${place} ${how}`]
  })
}
