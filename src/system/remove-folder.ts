import { randomUUID } from 'node:crypto'
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Removes a temporary folder with everything in it, also folders that were made read-only, as Go's module cache makes
 * them, or that are nested deeper than a path can be long. Never rejects: a folder that cannot be removed must not change the result of the work that is done.
 *
 * @returns whether the folder is gone
 */
export async function removeFolder(path: string): Promise<boolean> {
  if (await remove(path)) return true
  await makeRemovable(path)
  return await remove(path)
}

async function remove(path: string): Promise<boolean> {
  return await rm(path, { recursive: true, force: true, maxRetries: 2 }).then(
    () => true,
    () => false,
  )
}

const mostPathLength = 1000

/**
 * Lets this user list and change a folder and those below it, and moves those up whose paths grow too long for the file
 * system's calls. Follows no links.
 */
async function makeRemovable(root: string, path = root): Promise<void> {
  // A link in the place of the folder is not followed.
  const entry = await lstat(path).catch(() => null)
  if (!entry?.isDirectory()) return
  const ownerOnly = 0o700
  await chmod(path, ownerOnly).catch(() => undefined)
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  for (const entry of entries.filter(candidate => candidate.isDirectory())) {
    const folder = join(path, entry.name)
    const isLong = folder.length - root.length > mostPathLength
    const place = isLong ? join(root, randomUUID()) : folder
    if (isLong) await rename(folder, place).catch(() => undefined)
    await makeRemovable(root, place)
  }
}
