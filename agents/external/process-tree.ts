import { readdir, readFile } from 'node:fs/promises'

/** What the processes of an agent use at a moment. */
export interface TreeUse {
  readonly processes: number
  readonly memoryMb: number
}

const pageKb = 4

/**
 * Finds the processes of an agent: those of its process group and those that carry its mark in their environment, which a
 * process keeps that leaves the group. Linux alone tells; elsewhere the result is empty.
 *
 * @param mark `NAME=VALUE` of an environment variable that no other process has
 */
export async function processesOf(group: number, mark: string): Promise<number[]> {
  const pids = (await entriesOf('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async pid => ((await groupOf(pid)) === group || (await hasMark(pid, mark)) ? [pid] : [])),
  )
  return found.flat().filter(pid => pid !== process.pid)
}

/** Returns what these processes use together. */
export async function useOf(pids: readonly number[]): Promise<TreeUse> {
  const pages = await Promise.all(
    pids.map(async pid => Number((await textOf(`/proc/${pid}/statm`)).split(' ')[1] ?? 0)),
  )
  const kb = pages.reduce((sum, count) => sum + count, 0) * pageKb
  return { processes: pids.length, memoryMb: Math.round(kb / 1024) }
}

/** Sends a signal to a process, or with a negative number to a process group, that may be gone already. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function groupOf(pid: number): Promise<number | null> {
  // The name of the program stands in parentheses and may contain anything.
  const [, rest] = /\) \S \d+ (\d+)/.exec(await textOf(`/proc/${pid}/stat`)) ?? []
  return rest === undefined ? null : Number(rest)
}

async function hasMark(pid: number, mark: string): Promise<boolean> {
  return (await textOf(`/proc/${pid}/environ`)).split('\0').includes(mark)
}

/** Empty when the process has ended or belongs to somebody else. */
async function textOf(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '')
}

async function entriesOf(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => [])
}
