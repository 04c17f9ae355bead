import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Clock } from '../../src/core/runtime.ts'
import { processesOf, signalProcess, useOf } from './process-tree.ts'
import { TailBuffer } from './tail-buffer.ts'

/** A program to start, and what bounds it. */
export interface ProcessOptions {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input: string
  /** Of the program and all processes that it starts. */
  readonly limits: {
    readonly memoryMb: number
    readonly processes: number
    readonly timeoutMs: number | null
  }
  readonly signal: AbortSignal
  readonly clock: Clock
  /** `NAME=VALUE` of one of `env`, by which processes that have left the group are found. */
  readonly mark: string
}

/** How a program ended. */
export interface ProcessEnd {
  /** The end of what it wrote. */
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
  /** The name of the signal that ended it. */
  readonly signal: string | null
  /** The limit that it broke, in words; null: none. */
  readonly brokenLimit: string | null
}

/** Time between SIGTERM and SIGKILL. */
const graceMs = 10_000
const watchEveryMs = 500
const mostStdoutBytes = 8_000_000
const mostStderrBytes = 64_000

/**
 * Runs a program to its end. When the signal aborts or a limit is broken, its process group gets SIGTERM, and SIGKILL ten
 * seconds later. No process of it survives.
 *
 * @throws the error of `spawn` when the program cannot be started, such as ENOENT
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const { command, cwd, env, signal, clock, limits, mark } = options
  const [program, ...args] = command
  const child = spawn(program!, args, { cwd, env, detached: true, stdio: 'pipe' })
  const stdout = new TailBuffer(mostStdoutBytes)
  const stderr = new TailBuffer(mostStderrBytes)
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  // A program that never reads its input closes the pipe.
  child.stdin.on('error', () => undefined).end(options.input)
  const exited = exitOf(child)
  const group = await startedPid(child)
  const over = new AbortController()
  let brokenLimit: string | null = null
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    signalProcess(-group, 'SIGTERM')
    clock.sleep(graceMs, over.signal).then(
      () => signalProcess(-group, 'SIGKILL'),
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
      () => stopFor(`it ran longer than ${limits.timeoutMs! / 1000} s`),
      () => undefined,
    )
  watch({ group, mark, limits, clock, signal: over.signal }, stopFor)
  try {
    const { exitCode, killedBy } = await exited
    return { stdout: stdout.text(), stderr: stderr.text(), exitCode, signal: killedBy, brokenLimit }
  } finally {
    over.abort(new Error('the program has ended'))
    signal.removeEventListener('abort', stop)
    await killTheRest(group, mark)
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

interface Exit {
  readonly exitCode: number | null
  readonly killedBy: string | null
}

/** Time for output that is still in the pipes when the program has ended. A child of it may keep them open for ever. */
const drainMs = 1_000

async function exitOf(child: ChildProcessWithoutNullStreams): Promise<Exit> {
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode, killedBy) => {
      const done = (): void => resolve({ exitCode, killedBy })
      const timer = setTimeout(done, drainMs)
      child.once('close', () => {
        clearTimeout(timer)
        done()
      })
    })
  })
}

async function startedPid(child: ChildProcessWithoutNullStreams): Promise<number> {
  if (child.pid !== undefined) return child.pid
  return await new Promise((_resolve, reject) => child.once('error', reject))
}

interface Watched extends Pick<ProcessOptions, 'mark' | 'limits' | 'clock' | 'signal'> {
  readonly group: number
}

/** Looks at the processes twice a second until the program has ended. */
function watch({ group, mark, limits, clock, signal }: Watched, stopFor: (limit: string) => void): void {
  const look = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(watchEveryMs, signal)
      const { memoryMb, processes } = await useOf(await processesOf(group, mark))
      if (memoryMb > limits.memoryMb) stopFor(`it used more than ${limits.memoryMb} MB of memory`)
      if (processes > limits.processes) stopFor(`it ran more than ${limits.processes} processes`)
    }
  }
  look().catch(() => undefined)
}

async function killTheRest(group: number, mark: string): Promise<void> {
  signalProcess(-group, 'SIGKILL')
  // A process may start another one while it is looked for.
  for (let round = 0; round < 5; round++) {
    const left = await processesOf(group, mark)
    if (left.length === 0) return
    for (const pid of left) signalProcess(pid, 'SIGKILL')
  }
}
