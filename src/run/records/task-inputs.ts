import { readdir, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { DataError } from '../../core/errors.ts'
import { canonicalJson, sha256, sha256OfFile } from '../../core/hash.ts'
import { whyUnreadable } from '../../core/why-unreadable.ts'
import type { RunManifest } from './manifest.ts'

/** A file that tasks come from. */
export interface TaskInput {
  readonly path: string
  /** Its name below the folder of --tasks, parted by '/'. */
  readonly place: string
}

/** SHA-256 of every file that a run's tasks come from, by its place. */
export type InputHashes = Readonly<Record<string, string>>

/**
 * Every file that the tasks at a path come from: the file itself, or every file below a folder. Hidden files do not
 * count, except JSON.
 */
export async function taskInputs(path: string): Promise<TaskInput[]> {
  if (!(await stat(path)).isDirectory()) return [{ path, place: basename(path) }]
  const names = await readdir(path, { recursive: true })
  const isHidden = (name: string): boolean => name.split(sep).some(part => part.startsWith('.'))
  const inputs: TaskInput[] = []
  for (const name of names.filter(name => name.endsWith('.json') || !isHidden(name)).sort()) {
    const file = join(path, name)
    // A link that leads nowhere is refused by its name when its bytes are read.
    const isFile = await stat(file).then(
      found => found.isFile(),
      () => true,
    )
    if (isFile) inputs.push({ path: file, place: name.split(sep).join('/') })
  }
  return inputs
}

/**
 * Reads every file that the tasks at a path come from.
 * @throws DataError unreadable-tasks
 */
export async function hashTaskInputs(path: string): Promise<InputHashes> {
  const unreadable = (file: string) => (error: unknown) => {
    throw new DataError(`${file}: ${whyUnreadable(error)}. Put it back, or correct --tasks.`, {
      code: 'unreadable-tasks',
      cause: error,
    })
  }
  const hashes: [string, string][] = []
  for (const input of await taskInputs(path).catch(unreadable(path)))
    hashes.push([input.place, await sha256OfFile(input.path).catch(unreadable(input.path))])
  return Object.fromEntries(hashes)
}

/** `identity.tasksSha256`, all that older versions recorded: of one file its hash, of a folder that of its JSON files. */
export function tasksSha256(path: string, inputs: InputHashes): string {
  const [only, ...others] = Object.entries(inputs)
  if (only !== undefined && others.length === 0 && only[0] === basename(path)) return only[1]
  return sha256(canonicalJson(Object.entries(inputs).filter(([place]) => place.endsWith('.json'))))
}

/** Where the files of tasks differ from those of a run, a line each; empty: the run's tasks are those at the path. */
export function changedInputs(
  { inputs: before, identity }: Pick<RunManifest, 'inputs' | 'identity'>,
  path: string,
  now: InputHashes,
): string[] {
  if (before === undefined) {
    const hash = tasksSha256(path, now)
    return hash === identity.tasksSha256 ? [] : [`tasksSha256 was ${identity.tasksSha256}, is ${hash}`]
  }
  const [given, found] = [Object.values(before), Object.values(now)]
  // The same file may have another name.
  if (given.length === 1 && found.length === 1 && given[0] === found[0]) return []
  const places = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort()
  return places.flatMap(place => {
    if (before[place] === now[place]) return []
    const how =
      before[place] === undefined ? 'was added' : now[place] === undefined ? 'is missing' : 'has changed'
    return [`${place} ${how}`]
  })
}
