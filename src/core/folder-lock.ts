import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { ifMissing } from './if-missing.ts'
import { jsonOrNull } from './json-or-null.ts'
import { isProcessAlive, startOfProcess } from './process-life.ts'
import { systemClock } from './runtime.ts'
import { writeWhole } from './write-whole.ts'

const holderSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /** Tells the process from a later one of the same number; null: not known here. */
  started: z.string().nullable(),
  /** When it took the lock. */
  since: z.string().nullable().default(null),
})
/** The process that has a folder. */
export type LockHolder = z.infer<typeof holderSchema> & {
  /** Its lock file. */
  readonly path: string
}

export interface FolderLock {
  release(): Promise<void>
}

const lockName = /^lock\.(?:.+\.)?json$/
const tries = 5
const longestPauseMs = 100

/**
 * Takes a folder for this process; the holder where a living process has it. What a dead one left is taken at once; one of
 * another machine counts as living. The folder is made when it is missing.
 *
 * Each process writes a lock file of its own and then looks at all there are: of two that come at the same time, at least
 * one sees the other. Since a file belongs to one process alone, whoever removes a dead one's never hits a living one's.
 */
export async function lockFolder(folder: string): Promise<FolderLock | LockHolder> {
  for (let tried = 1; ; tried++) {
    const holder = await lockHolder(folder)
    if (holder !== null) return holder
    const path = join(folder, `lock.${process.pid}.${randomUUID()}.json`)
    await writeWhole(path, JSON.stringify(ownLock()))
    const { living, dead } = await locksIn(folder)
    const other = living.find(lock => lock.path !== path)
    for (const left of dead) await rm(left, { force: true })
    if (other === undefined) return { release: () => rm(path, { force: true }) }
    await rm(path, { force: true })
    if (tried === tries) return other
    await systemClock.sleep(Math.random() * longestPauseMs)
  }
}

/** Who has a folder now; null: nobody, or a process that is dead. Takes and writes nothing. */
export async function lockHolder(folder: string): Promise<LockHolder | null> {
  return (await locksIn(folder)).living[0] ?? null
}

function ownLock(): z.infer<typeof holderSchema> {
  return {
    pid: process.pid,
    host: hostname(),
    started: startOfProcess(process.pid),
    since: new Date(systemClock.now()).toISOString(),
  }
}

/** Dead ones by their paths. They are written whole: one that can't be read is nobody's. */
async function locksIn(folder: string): Promise<{ living: LockHolder[]; dead: string[] }> {
  const names = ((await readdir(folder).catch(ifMissing)) ?? []).filter(name => lockName.test(name))
  const [living, dead]: [LockHolder[], string[]] = [[], []]
  for (const path of names.sort().map(name => join(folder, name))) {
    const text = await readFile(path, 'utf8').catch(ifMissing)
    if (text === null) continue
    const lock = holderSchema.safeParse(jsonOrNull(text))
    if (lock.success && isAlive(lock.data)) living.push({ ...lock.data, path })
    else dead.push(path)
  }
  return { living, dead }
}

function isAlive({ host, pid, started }: z.infer<typeof holderSchema>): boolean {
  return host !== hostname() || isProcessAlive(pid, started)
}
