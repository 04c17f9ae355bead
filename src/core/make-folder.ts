import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it; one that is there stays. Rejects with the error of the file system.
 * In place of Node's own recursive mkdir, which never ends where a folder is there and answers ENOENT, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  const problem = await problemOfMaking(path)
  if (problem === null) return
  if (problem.code !== 'ENOENT') throw problem
  if (!(await isFolder(dirname(path)))) await makeFolder(dirname(path))
  // What was missing is there by now, made here or by another at the same time: a second ENOENT is the file system's own.
  const again = await problemOfMaking(path)
  if (again !== null) throw again
}

/** Null: the folder is there. */
async function problemOfMaking(path: string): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path)
    return null
  } catch (error) {
    return (await isFolder(path)) ? null : (error as NodeJS.ErrnoException)
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() ?? false
}
