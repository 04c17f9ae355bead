import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../src/core/runtime.ts'
import { ProcessTree } from './process-tree.ts'

/** A program to start, and its limits. */
interface ProcessOptions extends WatchOptions {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input: string
  /** `NAME=VALUE` of one of `env`. It identifies processes that have left the group. */
  readonly mark: string
}

interface WatchOptions {
  /** Limits for the program and all processes that it starts, in total. */
  readonly limits: {
    readonly memoryMb: number
    readonly processes: number
    /** For the files in `folder`. */
    readonly diskMb: number
    readonly timeoutMs: number | null
  }
  /** The folder of the attempt. All files in it count towards `diskMb`. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** How a program ended. */
export interface ProcessEnd {
  /** The end of what it wrote. */
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
  /** The name of the signal that ended it. */
  readonly signal: string | null
  /** The limit that it exceeded, in words; null when it exceeded none. */
  readonly brokenLimit: string | null
}

/** Time between SIGTERM and SIGKILL. */
const graceMs = 10_000
const watchEveryMs = 500
/** Files are counted less often, because there may be many. */
const roundsPerDiskCheck = 10
const mostStdoutBytes = 8_000_000
const mostStderrBytes = 64_000

/**
 * Runs a program to its end. When the signal aborts or a limit is exceeded, its process group gets SIGTERM, and ten
 * seconds later SIGKILL. Afterwards all of its processes have ended.
 *
 * @throws the error of `spawn` when the program cannot be started, such as ENOENT
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const { command, cwd, env, signal, clock, limits, mark } = options
  const [program, ...args] = command
  const child = spawn(program!, args, { cwd, env, detached: true, stdio: 'pipe' })
  const stdout = new TailBuffer(mostStdoutBytes)
  const stderr = new TailBuffer(mostStderrBytes)
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk)).on('error', () => undefined)
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk)).on('error', () => undefined)
  // A program that never reads its input closes the pipe.
  child.stdin.on('error', () => undefined).end(options.input)
  const exited = awaitExit(child)
  if (child.pid === undefined) await exited
  const tree = new ProcessTree({ group: child.pid!, mark, folder: options.folder })
  const forget = killAtExit(tree)
  const over = new AbortController()
  let brokenLimit: string | null = null
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    tree.signalGroup('SIGTERM')
    clock.sleep(graceMs, over.signal).then(
      () => tree.signalGroup('SIGKILL'),
      () => undefined,
    )
  }
  const stopFor = (limit: string): void => {
    brokenLimit ??= limit
    stop()
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  if (limits.timeoutMs !== null)
    clock.sleep(limits.timeoutMs, over.signal).then(
      () => stopFor('it ran longer than its timeout'),
      () => undefined,
    )
  watch(tree, { ...options, signal: over.signal }, stopFor)
  try {
    const { exitCode, killedBy } = await exited
    return { stdout: stdout.text(), stderr: stderr.text(), exitCode, signal: killedBy, brokenLimit }
  } finally {
    over.abort(new Error('the program has ended'))
    signal.removeEventListener('abort', stop)
    await tree.killAll()
    forget()
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

const running = new Set<ProcessTree>()

/** Ends a program when this process ends, also when the operator kills it. Returns a function that undoes this. */
function killAtExit(tree: ProcessTree): () => void {
  if (running.size === 0) process.on('exit', killRunning)
  running.add(tree)
  return () => {
    running.delete(tree)
    if (running.size === 0) process.off('exit', killRunning)
  }
}

function killRunning(): void {
  for (const tree of running) tree.signalGroup('SIGKILL')
}

interface Exit {
  readonly exitCode: number | null
  readonly killedBy: string | null
}

/** Time to read output that is still in the pipes after the program has ended. A child process may keep them open. */
const drainMs = 1_000

async function awaitExit(child: ChildProcessWithoutNullStreams): Promise<Exit> {
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode, killedBy) => {
      const finish = (): void => resolve({ exitCode, killedBy })
      const timer = setTimeout(finish, drainMs)
      child.once('close', () => {
        clearTimeout(timer)
        finish()
      })
    })
  })
}

/** Checks the processes twice a second until the program has ended, and their files every five seconds. */
function watch(
  tree: ProcessTree,
  { folder, limits, clock, signal }: WatchOptions,
  stopFor: (limit: string) => void,
): void {
  const look = async (): Promise<void> => {
    for (let round = 1; ; round++) {
      await clock.sleep(watchEveryMs, signal)
      const { memoryMb, processes } = await tree.use(limits.memoryMb)
      if (memoryMb > limits.memoryMb) stopFor(`it used more than ${limits.memoryMb} MB of memory`)
      if (processes > limits.processes) stopFor(`it ran more than ${limits.processes} processes`)
      if (round % roundsPerDiskCheck === 0 && (await sizeOfFolderMb(folder)) > limits.diskMb)
        stopFor(`it wrote more than ${limits.diskMb} MB to its folder`)
    }
  }
  look().catch(() => undefined)
}

/** A folder with more files counts as infinitely large. */
const mostFiles = 100_000

/** Returns how many megabytes the files of a folder and its subfolders take on the disk. Links are not followed. */
async function sizeOfFolderMb(folder: string): Promise<number> {
  const folders = [folder]
  let bytes = 0
  let files = 0
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => [])
    files += entries.length
    if (files > mostFiles) return Number.POSITIVE_INFINITY
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (entry.isDirectory()) folders.push(path)
      // Blocks of 512 bytes. A sparse file takes less space than its length.
      else
        bytes += await lstat(path).then(
          ({ blocks }) => blocks * 512,
          () => 0,
        )
    }
  }
  return bytes / 1_000_000
}

/** Keeps the end of a stream of bytes, however long it is. */
export class TailBuffer {
  readonly #most: number
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) >= this.#most) {
      this.#bytes -= this.#chunks.shift()!.length
    }
  }

  /** Returns the last bytes as text, without a character that is cut in the middle. */
  text(): string {
    const bytes = Buffer.concat(this.#chunks)
    const tail = bytes.subarray(Math.max(0, bytes.length - this.#most))
    return tail.toString('utf8').replace(/^\uFFFD+/, '')
  }
}
