import { lstat, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAbandoned, lockFolder } from './folder-lock.ts'
import { removeFolder } from './remove-folder.ts'

/** What the names of temporary folders with an owner begin with. */
const prefixes = { agent: 'tablehunt-agent-', proxy: 'tablehunt-proxy-' } as const

/** A temporary folder of this process. */
export interface OwnedFolder {
  readonly path: string
  /** Returns whether the folder is gone. Never rejects. */
  remove(): Promise<boolean>
}

/** Creates a folder in the temporary directory that names this process as its owner, so that a later run removes it after a kill. */
export async function createOwnedFolder(purpose: keyof typeof prefixes): Promise<OwnedFolder> {
  const path = await mkdtemp(join(tmpdir(), prefixes[purpose]))
  const lock = await lockFolder(path)
  return {
    path,
    async remove() {
      // An agent may have made the folder read-only.
      if ('release' in lock) await lock.release().catch(() => undefined)
      return await removeFolder(path)
    },
  }
}

/**
 * Removes the temporary folders of this user whose owners have ended without removing them, such as by `kill -9`. Folders
 * without a known owner, and those of a process that is out of sight, stay.
 *
 * @returns how many were removed
 */
export async function removeAbandonedFolders(): Promise<number> {
  const folder = tmpdir()
  const names = (await readdir(folder).catch(() => [])).filter(name =>
    Object.values(prefixes).some(prefix => name.startsWith(prefix)),
  )
  let removed = 0
  for (const path of names.map(name => join(folder, name))) {
    const entry = await lstat(path).catch(() => null)
    const isOwn = entry?.isDirectory() === true && entry.uid === (process.getuid?.() ?? entry.uid)
    if (isOwn && (await isAbandoned(path)) && (await removeFolder(path))) removed += 1
  }
  return removed
}
