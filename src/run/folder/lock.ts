import { readFileSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from '../../core/errors.ts'
import { jsonOrNull } from '../../core/json-or-null.ts'
import { makeFolder } from '../../core/make-folder.ts'
import { systemClock } from '../../core/runtime.ts'

const lockSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /** Tells the process from a later one of the same number; null: not known here. */
  started: z.string().nullable(),
  /** When it took the lock. */
  since: z.string().nullable().default(null),
})
export type LockHolder = z.infer<typeof lockSchema>

/** When a process started, as the kernel counts it, so that a reused process number is told apart; null elsewhere. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

function isAlive(holder: LockHolder): boolean {
  if (holder.host !== hostname()) return true
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return holder.started === null || startOf(holder.pid) === holder.started
}

async function readHolder(path: string): Promise<LockHolder | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const parsed = lockSchema.safeParse(jsonOrNull(text))
  return parsed.success ? parsed.data : null
}

/** Who works on a run now; null: nobody, or a process that is dead. Takes nothing. */
export async function livingHolder(folder: string): Promise<LockHolder | null> {
  const holder = await readHolder(lockPath(folder))
  return holder !== null && isAlive(holder) ? holder : null
}

function lockPath(folder: string): string {
  return join(folder, 'lock.json')
}

export interface RunLock {
  release(): Promise<void>
}

/**
 * Takes the run folder for this process. A lock whose process is dead is taken at once; a living one is refused
 * with ConfigError naming it. A lock of another machine counts as living.
 */
export async function lockRun(folder: string): Promise<RunLock> {
  await makeFolder(folder)
  const path = lockPath(folder)
  const own = { pid: process.pid, host: hostname(), started: startOf(process.pid) }
  const mine: LockHolder = { ...own, since: new Date().toISOString() }
  for (;;) {
    if (await createLock(path, mine)) return { release: () => rm(path, { force: true }) }
    const holder = await settledHolder(path)
    if (holder !== null && isAlive(holder)) throw inUse(folder, path, holder)
    await removeDead(path, holder)
  }
}

/** False where there is a lock already. */
async function createLock(path: string, mine: LockHolder): Promise<boolean> {
  try {
    const file = await open(path, 'wx')
    await file.writeFile(JSON.stringify(mine))
    await file.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** A lock that can't be read may be one that is just being written: it is given a moment. */
async function settledHolder(path: string): Promise<LockHolder | null> {
  const holder = await readHolder(path)
  if (holder !== null) return holder
  await systemClock.sleep(100)
  return await readHolder(path)
}

function inUse(folder: string, path: string, holder: LockHolder): ConfigError {
  const mend = holder.host === hostname() ? '' : ` (if it is dead, delete ${path})`
  return new ConfigError(
    `${folder} is in use by process ${holder.pid} on ${holder.host}: wait for it, stop it, or choose another --out${mend}`,
  )
}

/** Moves the lock away first: of two takers one gets it, and who got a living one's by mistake puts it back. */
async function removeDead(path: string, dead: LockHolder | null): Promise<void> {
  const aside = `${path}.${process.pid}.dead`
  try {
    await rename(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const taken = await readHolder(aside)
  if (taken !== null && JSON.stringify(taken) !== JSON.stringify(dead) && isAlive(taken))
    await rename(aside, path)
  else await rm(aside, { force: true })
}
