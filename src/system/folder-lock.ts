import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { RunError } from '../core/errors.ts'
import { systemClock } from '../core/runtime.ts'
import { jsonOrNull } from '../text/json.ts'
import { writeFileAtomically } from './atomic-write.ts'
import { ifMissing } from './files.ts'
import { isProcessAlive, processNamespace, startOfProcess } from './process-status.ts'

const holderSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /** Tells the process from a later one of the same number; null: not known here. */
  started: z.string().nullable(),
  /** When it took the lock. */
  since: z.string().nullable().default(null),
  /** The set of process numbers that `pid` belongs to; null: not known. Absent in locks of versions that renewed none. */
  namespace: z.string().nullable().optional(),
})
type LockRecord = z.infer<typeof holderSchema>

/** The process that has a folder. */
export type LockHolder = LockRecord & {
  /** Its lock file. */
  readonly path: string
  /** Milliseconds since it last renewed its lock; null where its process can be seen, so that its lock has no end. */
  readonly heartbeatAgeMs: number | null
}

export interface FolderLock {
  /** Aborts with a RunError 'lock-lost' when another process took the folder over: nothing more may be written there. */
  readonly lost: AbortSignal
  /**
   * To be called before writing.
   * @throws RunError 'lock-lost' where another process took the folder over, as it may while this one is suspended.
   */
  requireHeld(): void
  release(): Promise<void>
}

/** A lock that was not renewed for so long is free, unless its process can be seen to live. */
export const lockLifeMs = 60_000
/** How often a holder renews its lock. */
export const lockRenewalMs = 5_000

const lockName = /^lock\.(?:.+\.)?json$/
const tries = 5
const longestPauseMs = 100

/**
 * Takes a folder for this process; returns the holder where a living process has it. The lock of a dead process is taken
 * at once. A process on another machine or in another container can't be seen: its lock is taken when it was not renewed
 * for a minute. The folder is made when it is missing.
 *
 * Each process writes a lock file of its own and then reads all of them: of two that come at the same time, at least one
 * sees the other. A file belongs to one process alone, so removing the file of a dead process never affects a living one.
 */
export async function lockFolder(folder: string): Promise<FolderLock | LockHolder> {
  for (let tried = 1; ; tried++) {
    const holder = await lockHolder(folder)
    if (holder !== null) return holder
    const path = join(folder, `lock.${process.pid}.${randomUUID()}.json`)
    const content = JSON.stringify(ownLock())
    await writeFileAtomically(path, content)
    // Both times are then of the disk's clock, whatever the clocks of two machines say.
    const { living, dead } = await locksIn(folder, (await stat(path)).mtimeMs)
    const other = living.find(lock => lock.path !== path)
    for (const left of dead) await rm(left, { force: true })
    if (other === undefined) return keepLock(folder, path, content)
    await rm(path, { force: true })
    if (tried === tries) return other
    await systemClock.sleep(Math.random() * longestPauseMs)
  }
}

/** Who has a folder now; null: nobody, or a process that is dead. Takes and writes nothing. */
export async function lockHolder(folder: string): Promise<LockHolder | null> {
  return (await locksIn(folder, systemClock.now())).living[0] ?? null
}

function ownLock(): LockRecord {
  return {
    pid: process.pid,
    host: hostname(),
    started: startOfProcess(process.pid),
    since: new Date(systemClock.now()).toISOString(),
    namespace: processNamespace(),
  }
}

/** Renews the lock until it is released; finds out when its file was taken away. */
function keepLock(folder: string, path: string, content: string): FolderLock {
  const lost = new AbortController()
  let renewedAt = systemClock.now()
  let renewing: Promise<void> = Promise.resolve()
  const lose = (): void => {
    clearInterval(timer)
    if (!lost.signal.aborted) lost.abort(lockLost(folder))
  }
  const renew = async (): Promise<void> => {
    try {
      await writeAgain(path, content)
      renewedAt = systemClock.now()
    } catch (error) {
      // A disk that fails for a moment is no loss: the next renewal tries again.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') lose()
    }
  }
  const timer = setInterval(() => {
    renewing = renewing.then(renew)
  }, lockRenewalMs).unref()
  return {
    lost: lost.signal,
    requireHeld() {
      const isOverdue = systemClock.now() - renewedAt > lockLifeMs / 2
      if (isOverdue && statSync(path, { throwIfNoEntry: false }) === undefined) lose()
      lost.signal.throwIfAborted()
    },
    async release() {
      clearInterval(timer)
      await renewing
      await rm(path, { force: true })
    },
  }
}

/** Writes the same bytes, so that the disk's own clock dates them; never makes a file that another process removed. */
async function writeAgain(path: string, content: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.write(content, 0)
  } finally {
    await file.close()
  }
}

function lockLost(folder: string): RunError {
  return new RunError(
    `${folder}: another process took this folder over, because this process was suspended and did not renew its lock. This process ends and writes nothing more. When the other process has ended, the same command continues`,
    { code: 'lock-lost' },
  )
}

/** Dead ones by their paths. They are written whole: one that can't be read is nobody's. */
async function locksIn(folder: string, now: number): Promise<{ living: LockHolder[]; dead: string[] }> {
  const names = ((await readdir(folder).catch(ifMissing)) ?? []).filter(name => lockName.test(name))
  const [living, dead]: [LockHolder[], string[]] = [[], []]
  for (const path of names.sort().map(name => join(folder, name))) {
    const text = await readFile(path, 'utf8').catch(ifMissing)
    const writtenAt = (await stat(path).catch(ifMissing))?.mtimeMs
    if (text === null || writtenAt === undefined) continue
    const lock = holderSchema.safeParse(jsonOrNull(text))
    const heartbeatAgeMs =
      lock.success && isOutOfSight(lock.data) ? Math.max(0, now - renewedAt(lock.data, writtenAt)) : null
    if (lock.success && isAlive(lock.data, heartbeatAgeMs))
      living.push({ ...lock.data, path, heartbeatAgeMs })
    else dead.push(path)
  }
  return { living, dead }
}

/** Whether its process has a number that means nothing here: on another machine, or in another container. */
function isOutOfSight({ host, namespace = null }: LockRecord): boolean {
  const own = processNamespace()
  return host !== hostname() || (namespace !== null && own !== null && namespace !== own)
}

/** A lock is renewed by writing its file again; those of earlier versions say only when they were taken. */
function renewedAt({ since, namespace }: LockRecord, writtenAt: number): number {
  const taken = namespace === undefined && since !== null ? Date.parse(since) : Number.NaN
  return Number.isNaN(taken) ? writtenAt : taken
}

function isAlive({ pid, started }: LockRecord, heartbeatAgeMs: number | null): boolean {
  return heartbeatAgeMs === null ? isProcessAlive(pid, started) : heartbeatAgeMs <= lockLifeMs
}
