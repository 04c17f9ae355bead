import { readFileSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from '../core/errors.ts'

const lockSchema = z.object({ pid: z.int(), host: z.string(), started: z.string().nullable() })
type LockHolder = z.infer<typeof lockSchema>

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
  const parsed = lockSchema.safeParse(safeJson(text))
  return parsed.success ? parsed.data : null
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export interface RunLock {
  release(): Promise<void>
}

/**
 * Takes the run folder for this process. A lock whose process is dead is taken at once; a living one is refused
 * with ConfigError naming it. A lock of another machine counts as living.
 */
export async function lockRun(folder: string): Promise<RunLock> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'lock.json')
  const mine: LockHolder = { pid: process.pid, host: hostname(), started: startOf(process.pid) }
  for (;;) {
    try {
      const file = await open(path, 'wx')
      await file.writeFile(JSON.stringify(mine))
      await file.close()
      return { release: () => rm(path, { force: true }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = await readHolder(path)
    if (holder !== null && isAlive(holder)) {
      throw new ConfigError(
        `${folder} is in use by process ${holder.pid} on ${holder.host}: wait for it, stop it, or choose another --out` +
          (holder.host === hostname() ? '' : ` (if it is dead, delete ${path})`),
      )
    }
    // Moving it first means that of two takers only one removes the dead lock.
    const dead = `${path}.${process.pid}.dead`
    await rename(path, dead).catch(() => undefined)
    await rm(dead, { force: true })
  }
}
