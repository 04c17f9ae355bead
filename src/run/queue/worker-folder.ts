import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ifMissing } from '../../core/if-missing.ts'
import { isProcessAlive } from '../../core/process-life.ts'

const prefix = `worker-${hostname()}-`

/** A folder for this process below a cache that workers share; those of workers that were killed here are removed. */
export async function ownFolder(cache: string): Promise<string> {
  const queueFolder = join(cache, 'queue')
  const names = (await readdir(queueFolder).catch(ifMissing)) ?? []
  for (const name of names) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue
    await rm(join(queueFolder, name), { recursive: true, force: true })
  }
  return join(queueFolder, `${prefix}${process.pid}`)
}

/** A folder of this very process number is that of a dead one. */
function isAlive(pid: number): boolean {
  return pid !== process.pid && isProcessAlive(pid)
}
