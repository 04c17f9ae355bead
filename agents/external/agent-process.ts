import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../../src/core/runtime.ts'
import { harmlessEnvironment } from '../../src/system/harmless-environment.ts'
import { readFailureText } from './failure-text.ts'
import { ProcessTree } from './process-tree.ts'

/** A program to start, and its limits. */
interface ProcessOptions extends WatchOptions {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input: string
  /** `NAME=VALUE` of one of `env`. It identifies processes that have left the group. */
  readonly mark: string
  /** Null: the program runs as the user of this process. */
  readonly enclosure: Enclosure | null
}

/** How an enclosed program ended, as its enclosure saw it. */
export type EnclosedEnd =
  | { readonly kind: 'exited'; readonly exitCode: number | null; readonly signal: string | null }
  /** The system refused to start it. `code` is that of the error. */
  | { readonly kind: 'not-startable'; readonly code: string }
  /** Everything in the enclosure was killed. */
  | { readonly kind: 'killed' }
  /** The enclosure itself could not be made. */
  | { readonly kind: 'never-started' }

/** What keeps a program apart from this machine: a command that starts it in namespaces or a container of its own. */
export interface Enclosure {
  readonly command: readonly string[]
  /** What the command reads from descriptor 3; null: nothing. */
  readonly argumentList: string | null
  /** Sends SIGTERM to the program. */
  terminate(): void
  /** Waits until the program has ended. */
  ended(): Promise<EnclosedEnd>
  close(): Promise<void>
}

interface WatchOptions {
  /** Limits for the program and all processes that it starts, in total. */
  readonly limits: {
    readonly memoryMb: number
    readonly processes: number
    readonly cpuSeconds: number
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
  const { signal, clock, limits, mark, enclosure } = options
  const child = startProgram(options)
  const stdout = keepTail(child.stdout, mostStdoutBytes)
  const stderr = keepTail(child.stderr, mostStderrBytes)
  // A program that never reads its input closes the pipe.
  child.stdin.on('error', () => undefined).end(options.input)
  const exited = awaitExit(child)
  const isEnclosed = enclosure !== null
  if (child.pid === undefined)
    await exited.catch((error: Error) => {
      throw isEnclosed ? new IsolationFailure(`the isolation of the agent failed: ${error.message}`) : error
    })
  const tree = new ProcessTree({ group: child.pid!, mark, folder: options.folder, isEnclosed })
  const removeExitHook = killAtExit(tree)
  const ended = new AbortController()
  let brokenLimit: string | null = null
  let stopping = false
  const runAfter = (ms: number, act: () => void): void => {
    // The sleep rejects when the program ends first, which is not an error.
    clock.sleep(ms, ended.signal).then(act, () => undefined)
  }
  const stop = (): void => {
    if (stopping) return
    stopping = true
    if (enclosure === null) tree.signalGroup('SIGTERM')
    else enclosure.terminate()
    runAfter(graceMs, () => tree.signalGroup('SIGKILL'))
  }
  const stopFor = (limit: string): void => {
    brokenLimit ??= limit
    stop()
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  if (limits.timeoutMs !== null) runAfter(limits.timeoutMs, () => stopFor('it ran longer than its timeout'))
  watch(tree, { ...options, signal: ended.signal }, stopFor)
  try {
    const exit = await exited
    const { exitCode, signal } = enclosure === null ? exit : await readEnclosedExit(enclosure, exit, stderr)
    return { stdout: stdout.text(), stderr: stderr.text(), exitCode, signal, brokenLimit }
  } finally {
    ended.abort(new Error('the program has ended'))
    signal.removeEventListener('abort', stop)
    await tree.killAll()
    removeExitHook()
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

/** Keeps the end of what a program writes. */
function keepTail(stream: Readable, most: number): TailBuffer {
  const tail = new TailBuffer(most)
  stream.on('data', (chunk: Buffer) => tail.push(chunk)).on('error', () => undefined)
  return tail
}

function startProgram({ command, cwd, env, enclosure }: ProcessOptions): ChildProcessWithoutNullStreams {
  const [program, ...args] = enclosure?.command ?? command
  if (enclosure === null) return spawn(program!, args, { cwd, env, detached: true, stdio: 'pipe' })
  // The environment of the program is not that of its enclosure.
  const child = spawn(program!, args, {
    env: harmlessEnvironment(),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  const list = child.stdio[3] as Writable | undefined
  list?.on('error', () => undefined).end(enclosure.argumentList ?? '')
  return child as ChildProcessWithoutNullStreams
}

/** The enclosure of a program could not be made, so the program was not started. */
export class IsolationFailure extends Error {}

/** @throws IsolationFailure when the enclosure could not be made; Error with the code of the system when the program does not start */
async function readEnclosedExit(enclosure: Enclosure, exit: Exit, stderr: TailBuffer): Promise<Exit> {
  const end = await enclosure.ended()
  if (end.kind === 'exited') return end
  if (end.kind === 'not-startable') throw Object.assign(new Error(end.code), { code: end.code })
  if (end.kind === 'killed' || exit.signal !== null) return exit
  const why = readFailureText(stderr.text())
  throw new IsolationFailure(`the isolation of the agent failed${why === '' ? '' : `: ${why}`}`)
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
  readonly signal: string | null
}

/** Time to read output that is still in the pipes after the program has ended. A child process may keep them open. */
const drainMs = 1_000

async function awaitExit(child: ChildProcessWithoutNullStreams): Promise<Exit> {
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode, signal) => {
      const finish = (): void => resolve({ exitCode, signal })
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
  const checkUse = async (): Promise<void> => {
    for (let round = 1; ; round++) {
      await clock.sleep(watchEveryMs, signal)
      const { memoryMb, processes, cpuSeconds } = await tree.use(limits.memoryMb)
      if (memoryMb > limits.memoryMb) stopFor(`it used more than ${limits.memoryMb} MB of memory`)
      if (processes > limits.processes) stopFor(`it ran more than ${limits.processes} processes`)
      if (cpuSeconds > limits.cpuSeconds) stopFor('it used more processor time than cpuSeconds allows')
      if (round % roundsPerDiskCheck === 0 && (await sizeOfFolderMb(folder)) > limits.diskMb)
        stopFor(`it wrote more than ${limits.diskMb} MB to its folder`)
    }
  }
  checkUse().catch(() => undefined)
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
