import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

function isInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** False: tests that need it are skipped. */
export const redisIsInstalled = isInstalled()
export const whyNoRedis = redisIsInstalled ? '' : ' (skipped: apt-get install redis-server)'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export interface RealRedis {
  readonly url: string
  start(): Promise<void>
  /** As if the machine lost its power, and its memory: nothing is written to disk. */
  kill(): Promise<void>
  /** It hangs: connections stay open, nothing is answered. */
  freeze(): void
  thaw(): void
}

/** Debian's redis-server on a free port of 127.0.0.1. */
export async function realRedis(): Promise<RealRedis> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-redis-'))
  let child: ChildProcess | null = null
  const server: RealRedis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      child = spawn(
        'redis-server',
        ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
        { stdio: 'ignore' },
      )
      const client = new Redis(server.url, { maxRetriesPerRequest: null, retryStrategy: () => 50 })
      client.on('error', () => undefined)
      await client.ping()
      client.disconnect()
    },
    async kill() {
      if (child === null || child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      child = null
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
  return server
}
