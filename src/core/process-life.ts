import { readFileSync } from 'node:fs'

/** When a process started, as the kernel counts it, so that a reused process number is told apart; null where that is not known. */
export function startOfProcess(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

/** Whether a process of this machine runs, whoever it belongs to. `started` null: whatever has the number now. */
export function isProcessAlive(pid: number, started: string | null = null): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return started === null || startOfProcess(pid) === started
}
