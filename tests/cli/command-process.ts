import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { packageRoot } from '../../src/system/paths.ts'

/** What a command that runs in the test's own process sees as its process. */
export interface CommandProcess {
  readonly env: NodeJS.ProcessEnv
  readonly argv: readonly string[]
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Emits SIGINT, SIGTERM and SIGHUP to the listeners of this command alone. */
  readonly signals: EventEmitter
  exit(code: number): void
}

export interface CommandProcessInput {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly input: string | Uint8Array
  onStdout(text: string): void
  onStderr(text: string): void
  exit(code: number): void
}

const current = new AsyncLocalStorage<CommandProcess>()
const signalNames: ReadonlySet<unknown> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP'])

/** Runs the work with a process of its own: other commands and the test keep theirs, also at the same time. */
export function inCommandProcess<T>(commandProcess: CommandProcess, work: () => T): T {
  replaceProcessState()
  return current.run(commandProcess, work)
}

/** Creates the process state of one command, with only the given API keys in its environment. */
export function createCommandProcess(input: CommandProcessInput): CommandProcess {
  return {
    env: environmentOf(input.env),
    argv: [process.execPath, join(packageRoot, 'bin', 'tablehunt.js'), ...input.args],
    stdin: Readable.from(input.input.length === 0 ? [] : [Buffer.from(input.input)]),
    stdout: sink(input.onStdout),
    stderr: sink(input.onStderr),
    signals: new EventEmitter(),
    exit: input.exit,
  }
}

/** The environment of the tests without any API key, and the variables given. */
export function environmentOf(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const keyless = Object.entries(process.env).filter(([name]) => !/_API_KEY$/.test(name))
  return { ...Object.fromEntries(keyless), ...more }
}

function sink(take: (text: string) => void): Writable {
  const decoder = new TextDecoder()
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      take(decoder.decode(chunk, { stream: true }))
      done()
    },
  })
}

let isReplaced = false

/** Makes the global `process` answer with the state of the command that asks, and with its own to everybody else. */
function replaceProcessState(): void {
  if (isReplaced) return
  isReplaced = true
  process.env = currentEnvironment(process.env)
  for (const name of ['argv', 'stdin', 'stdout', 'stderr'] as const) {
    const own = process[name]
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get: () => current.getStore()?.[name] ?? own,
      set: () => undefined,
    })
  }
  const exit = process.exit.bind(process)
  process.exit = ((code?: number) => {
    const commandProcess = current.getStore()
    if (commandProcess === undefined) exit(code)
    else commandProcess.exit(code ?? 0)
  }) as typeof process.exit
  for (const name of ['on', 'addListener', 'once', 'off', 'removeListener'] as const) {
    const own = process[name].bind(process) as (event: string, listener: () => void) => typeof process
    const route = (event: string, listener: () => void): unknown => {
      const signals = signalNames.has(event) ? current.getStore()?.signals : undefined
      return signals === undefined ? own(event, listener) : signals[name](event, listener)
    }
    Object.defineProperty(process, name, { configurable: true, writable: true, value: route })
  }
}

/** An environment that looks up each variable when it is asked for: a module that keeps it serves several commands. */
function currentEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const here = (): NodeJS.ProcessEnv => current.getStore()?.env ?? own
  return new Proxy(own, {
    get: (_target, name) => Reflect.get(here(), name),
    set: (_target, name, value) => Reflect.set(here(), name, value),
    has: (_target, name) => Reflect.has(here(), name),
    deleteProperty: (_target, name) => Reflect.deleteProperty(here(), name),
    ownKeys: () => Reflect.ownKeys(here()),
    getOwnPropertyDescriptor: (_target, name) => Reflect.getOwnPropertyDescriptor(here(), name),
  })
}
