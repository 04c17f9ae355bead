import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { RunError } from '../core/errors.ts'
import { systemClock } from '../core/runtime.ts'
import { parseJsonOrNull } from '../text/json.ts'
import { writeFileAtomically } from './atomic-write.ts'
import { ifMissing } from './files.ts'
import { isProcessAlive, processNamespace, processStartTime } from './process-status.ts'

const lockSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /**
   * When the process started, to distinguish it from a later process with the same number; null when unknown.
   */
  started: z.string().nullable(),
  /** When the process took the lock. */
  since: z.string().nullable().default(null),
  /** The clock of the process when it last renewed the lock. Absent in locks of early versions. */
  clock: z.string().nullable().default(null),
  /**
   * The namespace of process numbers to which `pid` belongs; null when unknown. Absent in locks of early
   * versions.
   */
  namespace: z.string().nullable().optional(),
})
type LockRecord = z.infer<typeof lockSchema>

/** The process that holds the lock of a folder. */
export type LockHolder = LockRecord & {
  /** The path of its lock file. */
  readonly path: string
  /** Milliseconds since it last renewed its lock; null when the process is visible here, so that its lock does not expire. */
  readonly heartbeatAgeMs: number | null
  /** The present on the clock of its process, in milliseconds since the epoch, whatever the wall clock did since; null when unknown. */
  readonly now: number | null
}

/** A lock that a writer checks. */
export interface HeldLock {
  /**
   * Checks the lock. Call it before writing to the folder.
   *
   * @throws RunError [lock-lost] when another process took the folder, for example while this process was suspended
   */
  requireHeld(): void
}

/** The lock of a folder that this process holds. */
export interface FolderLock extends HeldLock {
  /** Aborts with RunError [lock-lost] when another process took the folder. Nothing may be written there any more. */
  readonly lost: AbortSignal
  /** Releases the lock. */
  release(): Promise<void>
}

/** A lock that was not renewed for so long is free, unless its process is visible here and runs. */
export const lockLifeMs = 60_000
/** How often a holder renews its lock. */
export const lockRenewalMs = 5_000
/** How long a lock that seems expired is watched. A holder renews it in this time, and then only the clock was changed. */
const watchedMs = 2 * lockRenewalMs

const lockName = /^lock\.(?:.+\.)?json$/
const tries = 5
const longestPauseMs = 100

/**
 * Locks a folder for this process. Creates the folder when it is missing.
 *
 * The lock of a dead process is taken at once. A process on another machine or in another container is not visible here; its
 * lock is taken when it was not renewed for a minute, and not while it is watched either.
 *
 * Each process writes its own lock file and then reads all lock files. When two processes do so at the same time, at least one
 * sees the other. Because each file belongs to one process, removing the file of a dead process never affects a living one.
 *
 * @param watchMs how long a lock that seems expired is watched
 * @returns the lock, or the holder when another living process has it
 */
export async function lockFolder(folder: string, watchMs = watchedMs): Promise<FolderLock | LockHolder> {
  for (let tried = 1; ; tried++) {
    const holder = await lockHolder(folder)
    if (holder !== null) return holder
    const path = join(folder, `lock.${process.pid}.${randomUUID()}.json`)
    const lock = newLock()
    await writeFileAtomically(path, lockText(lock))
    // Both times then come from the clock of the disk, because the clocks of two machines may differ.
    const { living, dead } = await readLocks(folder, (await stat(path)).mtimeMs)
    const otherLock = living.find(candidate => candidate.path !== path)
    const isRenewed = otherLock === undefined && (await wasRenewed(dead, watchMs))
    if (!isRenewed) for (const { path: deadPath } of dead) await rm(deadPath, { force: true })
    if (otherLock === undefined && !isRenewed) return keepLock(folder, path, lock)
    await rm(path, { force: true })
    if (tried === tries && otherLock !== undefined) return otherLock
    await systemClock.sleep(Math.random() * longestPauseMs)
  }
}

/** Returns the process that holds the lock of a folder; null when no living process does. Writes nothing. */
export async function lockHolder(folder: string): Promise<LockHolder | null> {
  // Files are dated by the wall clock.
  return (await readLocks(folder, Date.now())).living[0] ?? null
}

/**
 * Whether a folder was locked by processes that have certainly ended. A folder without a lock, or with one that cannot be
 * read, is not abandoned, and neither is that of a process out of sight, which may be suspended. Never rejects.
 */
export async function isAbandoned(folder: string): Promise<boolean> {
  const { living, dead } = await readLocks(folder, Date.now()).catch(() => ({ living: [], dead: [] }))
  return living.length === 0 && dead.length > 0 && dead.every(({ hasEnded }) => hasEnded)
}

function newLock(): LockRecord {
  const since = new Date(systemClock.now()).toISOString()
  return {
    pid: process.pid,
    host: hostname(),
    started: processStartTime(process.pid),
    since,
    clock: since,
    namespace: processNamespace(),
  }
}

/** Every text of a lock has the same length, so that a renewal writes over all of the text before. */
function lockText(lock: LockRecord): string {
  return JSON.stringify({ ...lock, clock: new Date(systemClock.now()).toISOString() })
}

/** Whether the holder of an expired lock renews it while it is watched. */
async function wasRenewed(dead: readonly DeadLock[], watchMs: number): Promise<boolean> {
  const watched = dead.filter(lock => lock.mayBeRenewed)
  if (watched.length === 0) return false
  await systemClock.sleep(watchMs)
  const times = await Promise.all(
    watched.map(async ({ path }) => (await stat(path).catch(ifMissing))?.mtimeMs),
  )
  return watched.some((lock, index) => times[index] !== undefined && times[index] !== lock.writtenAt)
}

/** Renews the lock until it is released, and notices when another process removed its file. */
function keepLock(folder: string, path: string, lock: LockRecord): FolderLock {
  const lost = new AbortController()
  // By the wall clock, which also counts the time while the machine was suspended.
  let renewedAt = Date.now()
  let renewing: Promise<void> = Promise.resolve()
  const lose = (): void => {
    clearInterval(timer)
    if (!lost.signal.aborted) lost.abort(lockLost(folder))
  }
  const renew = async (): Promise<void> => {
    try {
      await writeAgain(path, lockText(lock))
      renewedAt = Date.now()
    } catch (error) {
      // After any other failure of the disk, the next renewal tries again.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') lose()
    }
  }
  const timer = setInterval(() => {
    renewing = renewing.then(renew)
  }, lockRenewalMs).unref()
  return {
    lost: lost.signal,
    requireHeld() {
      const isOverdue = Math.abs(Date.now() - renewedAt) > lockLifeMs / 2
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

/** Writes over the text, so that the disk's clock dates the file. Fails when another process removed the file. */
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

/** A lock that may be taken. */
interface DeadLock {
  readonly path: string
  /** When its file was written. */
  readonly writtenAt: number
  /** Its process is out of sight and renews its lock while it runs. */
  readonly mayBeRenewed: boolean
  /** Its process was on this machine and does not run any more. */
  readonly hasEnded: boolean
}

/** Reads the lock files of a folder. A file that cannot be parsed counts as dead, because lock files are written atomically. */
async function readLocks(folder: string, now: number): Promise<{ living: LockHolder[]; dead: DeadLock[] }> {
  const names = ((await readdir(folder).catch(ifMissing)) ?? []).filter(name => lockName.test(name))
  const [living, dead]: [LockHolder[], DeadLock[]] = [[], []]
  for (const path of names.sort().map(name => join(folder, name))) {
    const text = await readFile(path, 'utf8').catch(ifMissing)
    const writtenAt = (await stat(path).catch(ifMissing))?.mtimeMs
    if (text === null || writtenAt === undefined) continue
    const lock = lockSchema.safeParse(parseJsonOrNull(text))
    const heartbeatAgeMs =
      lock.success && isOutOfSight(lock.data) ? Math.max(0, now - renewedAt(lock.data, writtenAt)) : null
    if (lock.success && isAlive(lock.data, heartbeatAgeMs))
      living.push({ ...lock.data, path, heartbeatAgeMs, now: readHolderClock(lock.data, now - writtenAt) })
    else
      dead.push({
        path,
        writtenAt,
        mayBeRenewed: lock.success && mayBeRenewed(lock.data),
        hasEnded: lock.success && !isOutOfSight(lock.data),
      })
  }
  return { living, dead }
}

/** Whether the process is on another machine or in another container, so that its number means nothing here. */
function isOutOfSight({ host, namespace = null }: LockRecord): boolean {
  const ownNamespace = processNamespace()
  return host !== hostname() || (namespace !== null && ownNamespace !== null && namespace !== ownNamespace)
}

/** Whether the process may be alive although its lock seems expired. Early versions never renew their locks. */
function mayBeRenewed(lock: LockRecord): boolean {
  return isOutOfSight(lock) && lock.namespace !== undefined
}

/** @param ageMs the time since the last renewal by the wall clock, which may have been changed since */
function readHolderClock({ clock }: LockRecord, ageMs: number): number | null {
  return clock === null ? null : Date.parse(clock) + Math.min(Math.max(0, ageMs), lockLifeMs)
}

/** Returns when a lock was last renewed, in milliseconds since the epoch. Early versions never renew it. */
function renewedAt({ since, namespace }: LockRecord, writtenAt: number): number {
  const takenAt = namespace === undefined && since !== null ? Date.parse(since) : Number.NaN
  return Number.isNaN(takenAt) ? writtenAt : takenAt
}

function isAlive({ pid, started }: LockRecord, heartbeatAgeMs: number | null): boolean {
  return heartbeatAgeMs === null ? isProcessAlive(pid, started) : heartbeatAgeMs <= lockLifeMs
}
