import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { main } from '../../src/cli.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { createCommandProcess, environmentOf, inCommandProcess } from './command-process.ts'

export interface Finished {
  /** Null when the process was killed. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly env?: Record<string, string>
  /** Only one command at a time can have a folder of its own in this process. */
  readonly cwd?: string
  readonly input?: string | Uint8Array
}

/** A command that has been started. */
export interface RunningCommand {
  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
  /** What it has written to stdout and to stderr until now. */
  stdout(): string
  stderr(): string
  /** Resolves when stdout and stderr together contain the text; rejects when the command ends without it. */
  saying(text: string | RegExp): Promise<void>
  readonly ended: Promise<Finished>
}

/** Runs a command in this process as a user would, with only the given API keys in its environment. */
export async function tablehunt(args: readonly string[], options: CliOptions = {}): Promise<Finished> {
  return await startTablehunt(args, options).ended
}

/** Starts a command in this process. It can be stopped by a signal, but not killed. */
export function startTablehunt(args: readonly string[], options: CliOptions = {}): RunningCommand {
  const output = createOutput()
  let exit = (_code: number): void => undefined
  const exited = new Promise<number>(resolve => {
    exit = resolve
  })
  const commandProcess = createCommandProcess({
    args,
    env: options.env ?? {},
    input: options.input ?? '',
    onStdout: text => output.add('stdout', text),
    onStderr: text => output.add('stderr', text),
    exit,
  })
  const leave = enter(options.cwd)
  const done = inCommandProcess(commandProcess, () => Promise.race([main(args), exited])).finally(leave)
  return {
    ...output.watch(done),
    signal(name) {
      const isHeard = inCommandProcess(commandProcess, () => commandProcess.signals.emit(name))
      if (!isHeard) exit(name === 'SIGINT' ? 130 : 143)
    },
  }
}

/** Starts the built command in a process of its own: for tests of what only a process does. */
export function spawnTablehunt(args: readonly string[], options: CliOptions = {}): RunningCommand {
  const output = createOutput()
  const child = spawn(process.execPath, [join(packageRoot, 'bin', 'tablehunt.js'), ...args], {
    env: environmentOf(options.env ?? {}),
    cwd: options.cwd ?? process.cwd(),
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.add('stdout', text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => output.add('stderr', text))
  child.stdin.on('error', () => undefined).end(options.input ?? '')
  const closed = new Promise<number | null>(resolve => child.on('close', resolve))
  return { ...output.watch(closed), signal: name => void child.kill(name) }
}

/** Makes a folder the current one. Returns what makes the earlier one current again. */
function enter(folder: string | undefined): () => void {
  if (folder === undefined) return () => undefined
  const before = process.cwd()
  process.chdir(folder)
  return () => process.chdir(before)
}

function createOutput() {
  const written = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  const has = (text: string | RegExp): boolean =>
    Object.values(written).some(whole => (typeof text === 'string' ? whole.includes(text) : text.test(whole)))
  return {
    add(name: keyof typeof written, text: string): void {
      written[name] += text
      for (const listener of listeners) listener()
    },
    watch(done: Promise<number | null>): Omit<RunningCommand, 'signal'> {
      const ended = done.then(code => ({ code, ...written }))
      return {
        stdout: () => written.stdout,
        stderr: () => written.stderr,
        ended,
        saying: text =>
          new Promise((resolve, reject) => {
            const look = (): void => {
              if (!has(text)) return
              listeners.delete(look)
              resolve()
            }
            listeners.add(look)
            look()
            const fail = (code: unknown): void =>
              reject(new Error(`ended with ${code} before it said ${text}:\n${written.stderr}`))
            void ended.then(({ code }) => fail(code), fail)
          }),
      }
    },
  }
}
