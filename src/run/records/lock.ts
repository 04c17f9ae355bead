import { ConfigError } from '../../core/errors.ts'
import { type FolderLock, lockFolder, lockLifeMs } from '../../system/folder-lock.ts'

/**
 * Locks a run's folder for this process.
 *
 * @throws ConfigError [folder-in-use] names the process that has the lock, and when the folder is free at the latest
 */
export async function lockRun(folder: string): Promise<FolderLock> {
  const lock = await lockFolder(folder)
  if ('release' in lock) return lock
  const { host, pid, heartbeatAgeMs } = lock
  throw new ConfigError(
    `${folder} is in use by process ${pid} on ${host}${formatWhenFree(heartbeatAgeMs)}. Wait for it, stop it, or choose another --out.`,
    { code: 'folder-in-use' },
  )
}

function formatWhenFree(heartbeatAgeMs: number | null): string {
  if (heartbeatAgeMs === null) return ''
  const age = Math.round(heartbeatAgeMs / 1000)
  const left = Math.ceil((lockLifeMs - heartbeatAgeMs) / 1000)
  return `, which renewed its lock ${age} s ago (if it is gone, the folder is free in ${left} s)`
}
