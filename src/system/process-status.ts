import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Returns when a process started, as the kernel counts it, so that a later process with the same number is recognised;
 * null where the system does not say, and for a process that has ended.
 */
export function startOfProcess(pid: number): string | null {
  return statOf(pid)?.started ?? null
}

/**
 * Whether a process of this machine runs, whoever owns it. A zombie, which has ended and waits for its parent to notice,
 * does not run; a suspended process does.
 *
 * @param started - From `startOfProcess`; null: any process with that number counts.
 */
export function isProcessAlive(pid: number, started: string | null = null): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const stat = statOf(pid)
  if (stat !== null && hasEnded(stat.state)) return false
  return started === null || stat?.started === started
}

/** The set of process numbers that this process lives in: containers have one each. Null where the system has no such sets. */
export function processNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
}

/** Z: zombie. X and x: being removed. */
function hasEnded(state: string): boolean {
  return state === 'Z' || state === 'X' || state === 'x'
}

/** Null without a /proc, and where the process is not there. */
function statOf(pid: number): { readonly state: string; readonly started: string | null } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name comes before, in brackets, and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', started: fields[19] ?? null }
  } catch {
    return null
  }
}
