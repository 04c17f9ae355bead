import { chmod, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Removes a temporary folder with everything in it, also folders that were made read-only, as Go's module cache makes
 * them. Never rejects: a folder that cannot be removed must not change the result of the work that is done.
 *
 * @returns whether the folder is gone
 */
export async function removeFolder(path: string): Promise<boolean> {
  if (await remove(path)) return true
  await makeWritable(path)
  return await remove(path)
}

async function remove(path: string): Promise<boolean> {
  return await rm(path, { recursive: true, force: true, maxRetries: 2 }).then(
    () => true,
    () => false,
  )
}

/** Lets this user list and change a folder and those below it. Follows no links. */
async function makeWritable(path: string): Promise<void> {
  const ownerOnly = 0o700
  await chmod(path, ownerOnly).catch(() => undefined)
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await makeWritable(join(path, entry.name))
}
