import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { RunError } from '../../src/core/errors.ts'
import { lockFolder } from '../../src/system/folder-lock.ts'
import { harmlessEnvironment } from '../../src/system/harmless-environment.ts'
import { optionalParts, requirePackages } from '../../src/system/optional-packages.ts'

/** A Chroma server on 127.0.0.1 that this process started. */
export interface ChromaServer {
  readonly port: number
  /** Returns false when the process has ended for any reason. */
  alive(): boolean
  stop(): Promise<void>
}

/** The persistent folder of a server, locked so that no second server opens it. */
export interface ChromaFolder {
  readonly path: string
  /** Aborts when another process takes over the folder. Our server must then stop writing. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Our own Chroma server did not start. */
export class ChromaStartError extends RunError {
  /** The cause alone, without the advice of the message. */
  readonly reason: string
  constructor(reason: string) {
    super(
      `Chroma's server did not start: ${reason}. Leave out --vector-store to search exactly, or start Chroma yourself and name it with --chroma URL.`,
      { code: 'chroma-not-started' },
    )
    this.reason = reason
  }
}

const maxFolders = 64

/**
 * Locks the first folder of `base`, `base-2`, … that no running process uses. Runs at the same time therefore have
 * separate indexes.
 *
 * @throws RunError `chroma-folders-in-use`
 */
export async function claimChromaFolder(base: string): Promise<ChromaFolder> {
  for (let number = 1; number <= maxFolders; number++) {
    const path = number === 1 ? base : `${base}-${number}`
    const lock = await lockFolder(path)
    if ('release' in lock) return { path, ...lock }
  }
  throw new RunError(
    `${base}: all ${maxFolders} Chroma folders are in use. Name another folder with --cache.`,
    { code: 'chroma-folders-in-use' },
  )
}

const startTries = 3
const startTimeoutMs = 30_000

/**
 * Starts the server that ships with the npm package on a free port.
 * @throws ChromaStartError `chroma-not-started` when the server does not answer; ConfigError `missing-package`
 */
export async function startChromaServer(folder: string): Promise<ChromaServer> {
  requirePackages(optionalParts.chroma)
  let problem = ''
  for (let attempt = 1; attempt <= startTries; attempt++) {
    const port = await findFreePort()
    const child = spawnServer(folder, port)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        output = (output + data.toString()).slice(-2000)
      })
    }
    const closed = new Promise(resolve => child.once('close', resolve))
    if (await isUp(child, port)) return handServer(child, port)
    await stop(child)
    await closed
    problem = findCause(output, folder)
  }
  throw new ChromaStartError(problem)
}

/**
 * Code that ends the server when this process ends, even when it is killed. The server's main thread never returns
 * from native code. A second thread therefore waits until the pipe from this process closes. A server that fails ends
 * itself with a signal, because a normal exit would wait for the second thread.
 */
const endWithParent = `
import { writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
process.on('uncaughtException', error => {
  writeSync(2, String(error))
  process.kill(process.pid, 'SIGKILL')
})
const code = "require('node:fs').readSync(0, Buffer.alloc(1)); process.kill(process.pid, 'SIGTERM')"
new Worker(code, { eval: true }).unref()`

function spawnServer(folder: string, port: number): ChildProcess {
  const packageFile = createRequire(import.meta.url).resolve('chromadb')
  const cli = join(dirname(packageFile), '..', 'cli.mjs')
  const guard = `data:text/javascript,${encodeURIComponent(endWithParent)}`
  const command = ['run', '--path', folder, '--host', '127.0.0.1', '--port', String(port)]
  return spawn(process.execPath, ['--import', guard, cli, ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...harmlessEnvironment(), ANONYMIZED_TELEMETRY: 'False' },
  })
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port was assigned')
  return address.port
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** Whether our server answers. Another server could own the port, so ours must still be running after the answer. */
async function isUp(child: ChildProcess, port: number): Promise<boolean> {
  let failed = false
  child.on('error', () => {
    failed = true
  })
  const deadline = performance.now() + startTimeoutMs
  while (!failed && isRunning(child) && performance.now() < deadline) {
    if (await answers(port)) {
      await delay(50)
      return isRunning(child)
    }
    await delay(30)
  }
  return false
}

async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/v2/heartbeat`, {
      signal: AbortSignal.timeout(2000),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    // The server is not listening yet. `isUp` asks again until its deadline.
    return false
  }
}

function handServer(child: ChildProcess, port: number): ChromaServer {
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
  return { port, alive: () => isRunning(child), stop: () => stop(child) }
}

const stopTimeoutMs = 5000

async function stop(child: ChildProcess): Promise<void> {
  if (!isRunning(child) || child.pid === undefined) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  await ended
  clearTimeout(timer)
}

/** A later server needs the C library of 2023 or newer (glibc 2.38). */
const olderServer =
  'The oldest server needs glibc 2.34: npm install chromadb@3.0.14 chromadb-js-bindings-linux-x64-gnu@1.0.5'

/** Returns why the server ended: a known cause in plain words, otherwise the printed line that names the error. */
function findCause(output: string, folder: string): string {
  const glibc = /`(GLIBC_[\d.]+)' not found/.exec(output)?.[1]
  if (glibc !== undefined)
    return `it needs a newer system library (${glibc.replace('_', ' ')} is missing here). ${olderServer}`
  if (/Cannot find module 'chromadb-js-bindings|Unsupported (platform|architecture|Windows)/.test(output)) {
    return `the package chromadb has no server for ${process.platform} ${process.arch} here; npm leaves it out with --omit=optional`
  }
  const named = /^\w*Error: (.+)$/m.exec(output)?.[1]
  const shown = named ?? (output.trim().split('\n').at(-1)?.trim() || 'it printed nothing')
  return `${shown} (its folder is ${folder})`
}
