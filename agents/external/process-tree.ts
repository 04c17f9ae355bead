import { readdir, readFile, readlink } from 'node:fs/promises'
import { sep } from 'node:path'

/** Current resource use of an agent's processes. */
interface TreeUse {
  readonly processes: number
  readonly memoryMb: number
  /** Of the processes that run, and of those that ended and were collected by their parents. */
  readonly cpuSeconds: number
}

/** How the processes of an agent are recognised. */
interface TreeMarks {
  /** The id of their process group. */
  readonly group: number
  /** `NAME=VALUE` of an environment variable that no other process has. */
  readonly mark: string
  /** The folder of the attempt. */
  readonly folder: string
  /** Whether the group consists of an enclosure. Its own use does not count. */
  readonly isEnclosed: boolean
}

const pageKb = 4
/** A process may start others during the search. */
const mostKillRounds = 20

/**
 * The processes of an agent: those of its process group, and those that left it. The latter are recognised by a variable in
 * their environment, by their working folder, or by their parent. This works on Linux only. Other systems show the process
 * group only.
 */
export class ProcessTree {
  readonly #marks: TreeMarks
  /** Start times of the processes that were seen. They distinguish processes, because the system reuses process ids. */
  readonly #seen = new Map<number, string>()

  constructor(marks: TreeMarks) {
    this.#marks = marks
  }

  /**
   * Returns what the processes use together. Memory that they share counts once. That is slow to measure, so it is done
   * only when the sum over the processes exceeds the limit.
   */
  async use(limitMb: number): Promise<TreeUse> {
    const members = await this.#find()
    const { group, isEnclosed } = this.#marks
    const counted = members.filter(member => !isEnclosed || member.facts.group !== group)
    const pids = counted.map(({ pid }) => pid)
    const sum = await sumMemory(pids, residentKb)
    const kb = sum > limitMb * 1024 ? await sumMemory(pids, proportionalKb) : sum
    const ticks =
      counted.reduce((total, { facts }) => total + facts.ownTicks, 0) +
      members.reduce((total, { facts }) => total + facts.collectedTicks, 0)
    return { processes: pids.length, memoryMb: Math.round(kb / 1024), cpuSeconds: ticks / ticksPerSecond }
  }

  signalGroup(signal: NodeJS.Signals): void {
    signalProcess(-this.#marks.group, signal)
  }

  /** Kills all processes until none is left. */
  async killAll(): Promise<void> {
    this.signalGroup('SIGKILL')
    for (let round = 0; round < mostKillRounds; round++) {
      const left = await this.#find()
      if (left.length === 0) return
      for (const { pid } of left) signalProcess(pid, 'SIGKILL')
    }
  }

  async #find(): Promise<TreeMember[]> {
    const pids = (await listEntries('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
    const processes = new Map<number, ProcessFacts>()
    for (const { pid, facts } of await Promise.all(
      pids.map(async pid => ({ pid, facts: await readFacts(pid) })),
    ))
      if (facts !== null && pid !== process.pid) processes.set(pid, facts)
    const members = new Set<number>()
    for (const [pid, facts] of processes) {
      const wasSeen = this.#seen.get(pid) === facts.startedAt
      if (wasSeen || facts.group === this.#marks.group || (await this.#isMarked(pid))) members.add(pid)
    }
    for (let grew = true; grew; ) {
      grew = false
      for (const [pid, { parent }] of processes)
        if (!members.has(pid) && members.has(parent)) {
          members.add(pid)
          grew = true
        }
    }
    this.#seen.clear()
    for (const pid of members) this.#seen.set(pid, processes.get(pid)!.startedAt)
    return [...members].map(pid => ({ pid, facts: processes.get(pid)! }))
  }

  async #isMarked(pid: number): Promise<boolean> {
    const { mark, folder } = this.#marks
    if ((await readText(`/proc/${pid}/environ`)).split('\0').includes(mark)) return true
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    return cwd === folder || cwd.startsWith(`${folder}${sep}`)
  }
}

async function sumMemory(pids: readonly number[], kbOf: (pid: number) => Promise<number>): Promise<number> {
  const sizesKb = await Promise.all(pids.map(kbOf))
  return sizesKb.reduce((sum, kb) => sum + kb, 0)
}

/** The memory of a process, with all that it shares with others. */
async function residentKb(pid: number): Promise<number> {
  return Number((await readText(`/proc/${pid}/statm`)).split(' ')[1] ?? 0) * pageKb
}

/** The memory of a process, with its part of what it shares. Systems without this figure give the whole. */
async function proportionalKb(pid: number): Promise<number> {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(await readText(`/proc/${pid}/smaps_rollup`))?.[1]
  return kilobytes === undefined ? await residentKb(pid) : Number(kilobytes)
}

interface ProcessFacts {
  readonly parent: number
  readonly group: number
  readonly startedAt: string
  /** Processor time of the process, in ticks. */
  readonly ownTicks: number
  /** That of its children that ended and that it collected. */
  readonly collectedTicks: number
}

interface TreeMember {
  readonly pid: number
  readonly facts: ProcessFacts
}

/** The same on all processors that Node supports. */
const ticksPerSecond = 100

/** Null for a process that no longer exists, and for one that has ended and waits for its parent. */
async function readFacts(pid: number): Promise<ProcessFacts | null> {
  const stat = await readText(`/proc/${pid}/stat`)
  // The name of the program is in parentheses and may contain anything.
  const [state, parent, group, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (group === undefined || state === 'Z' || state === 'X') return null
  const sum = (...at: readonly number[]): number =>
    at.reduce((total, index) => total + Number(fields[index]), 0)
  return {
    parent: Number(parent),
    group: Number(group),
    startedAt: fields[16] ?? '',
    ownTicks: sum(8, 9),
    collectedTicks: sum(10, 11),
  }
}

/** Sends a signal to a process, or with a negative number to a process group. It may have ended already. */
function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The system may have given the process id to a process of another user.
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

/** Empty when the process has ended or belongs to another user. */
async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '')
}

async function listEntries(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => [])
}
