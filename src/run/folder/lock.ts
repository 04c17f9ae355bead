import { hostname } from 'node:os'
import { ConfigError } from '../../core/errors.ts'
import { type FolderLock, type LockHolder, lockFolder } from '../../core/folder-lock.ts'

/** Takes the run folder for this process; ConfigError naming the process that works on it where one does. */
export async function lockRun(folder: string): Promise<FolderLock> {
  const lock = await lockFolder(folder)
  if ('release' in lock) return lock
  throw inUse(folder, lock)
}

function inUse(folder: string, { host, pid, path }: LockHolder): ConfigError {
  const mend = host === hostname() ? '' : ` (if it is dead, delete ${path})`
  return new ConfigError(
    `${folder} is in use by process ${pid} on ${host}: wait for it, stop it, or choose another --out${mend}`,
  )
}
