import { readFile, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ifMissing } from '../../src/core/if-missing.ts'

export interface FolderLock {
  release(): Promise<void>
}

const lockName = 'tablehunt.lock'
const tries = 3

/** Takes a folder for this process; null where a living process has it. A lock left by a dead one is taken over. */
export async function lockFolder(folder: string): Promise<FolderLock | null> {
  const file = join(folder, lockName)
  const mine = `${hostname()} ${process.pid} ${Math.random().toString(36).slice(2)}`
  for (let attempt = 0; attempt < tries; attempt++) {
    try {
      await writeFile(file, mine, { flag: 'wx' })
      return { release: () => releaseIfMine(file, mine) }
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const holder = await readLock(file)
    if (holder !== null && isAlive(holder)) return null
    await unlink(file).catch(ifMissing)
  }
  return null
}

async function releaseIfMine(file: string, mine: string): Promise<void> {
  if ((await readLock(file)) === mine) await unlink(file).catch(ifMissing)
}

async function readLock(file: string): Promise<string | null> {
  return await readFile(file, 'utf8').catch(ifMissing)
}

/** Of a process on another machine that shares the folder nothing is known: taken as alive. */
function isAlive(holder: string): boolean {
  const [host, pid] = holder.split(' ')
  if (host !== hostname()) return host !== undefined && host !== ''
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
