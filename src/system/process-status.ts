import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Returns when a process started, in the kernel's own count, to distinguish it from a later process with the same number.
 * Returns null when the system does not say, and for a process that has ended.
 */
export function processStartTime(pid: number): string | null {
  return readStat(pid)?.started ?? null
}

/**
 * Whether a process of this machine runs, and whichever user owns it. A suspended process counts as running. A zombie, which has ended
 * but was not collected by its parent, does not.
 *
 * @param started the result of `processStartTime`; with null, any process with that number counts
 */
export function isProcessAlive(pid: number, started: string | null = null): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const stat = readStat(pid)
  if (stat !== null && hasEnded(stat.state)) return false
  return started === null || stat?.started === started
}

/** Returns the namespace of this process's number. Each container has its own. Null when the system has no namespaces. */
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

/** Returns null without a /proc, and when the process does not exist. */
function readStat(pid: number): { readonly state: string; readonly started: string | null } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program precedes these fields, in brackets, and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', started: fields[19] ?? null }
  } catch {
    return null
  }
}
