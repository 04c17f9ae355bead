import { statfs } from 'node:fs/promises'
import { ConfigError, ProviderError, RunError } from '../../src/core/errors.ts'
import { withoutUser } from '../../src/core/option-values.ts'
import { readFirstLine } from '../../src/text/plain-text.ts'
import { VectorClient } from './chroma-client.ts'
import {
  type ChromaFolder,
  type ChromaServer,
  claimChromaFolder,
  startChromaServer,
} from './chroma-server.ts'

/**
 * A connection to a Chroma server, the user's or our own. Our own server starts when it is first needed, and again
 * when its process has ended.
 */
export interface ChromaConnection {
  /**
   * Calls `work` with a client. When our own server ends during the work, `work` is repeated on a new one.
   * `generation` counts the servers that were started.
   */
  use<T>(work: (client: VectorClient, generation: number) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const maxRestarts = 3

interface RunningServer {
  readonly server: ChromaServer
  readonly client: VectorClient
  readonly generation: number
}

/**
 * Creates a connection to our own server over a persistent folder.
 *
 * @throws RunError (from `use`) `chroma-not-started`, `chroma-folders-in-use` or `disk-full`
 */
export function ownChroma(baseFolder: string): ChromaConnection {
  const manager = createServerManager(baseFolder)
  return {
    async use(work) {
      for (let attempt = 0; ; attempt++) {
        const { server, client, generation } = await manager.connect()
        try {
          return await work(client, generation)
        } catch (error) {
          // A request may fail shortly before this process learns that the server has ended.
          await new Promise(resolve => setTimeout(resolve, 50))
          if (manager.isClosed()) throw error
          await throwIfDiskFull(baseFolder, error)
          if (server.alive() || attempt >= maxRestarts) throw error
        }
      }
    },
    close: manager.close,
  }
}

/** Keeps one server running over a folder that no other process uses. */
function createServerManager(baseFolder: string) {
  let folder: ChromaFolder | null = null
  let running: Promise<RunningServer> | null = null
  let generation = 0
  let isClosed = false

  async function start(): Promise<RunningServer> {
    if (folder === null || folder.lost.aborted) folder = await claimChromaFolder(baseFolder)
    const server = await startChromaServer(folder.path)
    folder.lost.addEventListener('abort', () => void server.stop(), { once: true })
    generation++
    return { server, client: new VectorClient({ host: '127.0.0.1', port: server.port }), generation }
  }

  return {
    async connect(): Promise<RunningServer> {
      const previous = running
      const current = await previous
      if (isClosed) throw new Error('the vector store was closed')
      // Another caller that waited for the same server may already have started the next one.
      if (running === previous && current?.server.alive() === false) running = null
      running ??= start()
      const starting = running
      starting.catch(() => {
        if (running === starting) running = null
      })
      return await starting
    },
    isClosed: () => isClosed,
    async close(): Promise<void> {
      isClosed = true
      const current = await running?.catch(() => null)
      await current?.server.stop()
      await folder?.release()
    },
  }
}

/** The index of one document takes about 22 MB. */
const minFreeBytes = 32e6

/**
 * Throws when the disk is almost full. Chroma then fails with arbitrary errors, and all later requests would fail too.
 *
 * @throws RunError `disk-full`
 */
async function throwIfDiskFull(folder: string, error: unknown): Promise<void> {
  if (!isChromaError(error)) return
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  if (freeBytes >= minFreeBytes) return
  throw new RunError(
    `${folder}: Chroma failed (${readFirstLine(error)}) and only ${Math.floor(freeBytes / 1e6)} MB are left on the disk. Free some space or name another folder with --cache, then run the same command again.`,
    { code: 'disk-full', cause: error },
  )
}

/**
 * Creates a connection to the user's own server. The first use shows whether it is running.
 *
 * @throws ConfigError `invalid-chroma-url`, `user-in-address`; `use` throws ProviderError when the server does not answer or refuses a request
 */
export function externalChroma(url: string): ChromaConnection {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new ConfigError(`--chroma ${url}: not a URL. Write one such as http://127.0.0.1:8000.`, {
      code: 'invalid-chroma-url',
    })
  }
  withoutUser(url)
  const ssl = parsed.protocol === 'https:'
  const port = parsed.port === '' ? (ssl ? 443 : 80) : Number(parsed.port)
  const client = new VectorClient({ host: parsed.hostname, port, ssl })
  let hasAnswered = false
  return {
    async use(work) {
      try {
        if (!hasAnswered) await client.heartbeat()
        hasAnswered = true
        return await work(client, 1)
      } catch (error) {
        throw externalFailure(error, parsed.origin)
      }
    },
    close: async () => {},
  }
}

function externalFailure(error: unknown, origin: string): unknown {
  if (isConnectionFailure(error)) {
    const message = `Chroma at ${origin} does not answer`
    return new ProviderError('unavailable', message, { retryable: true, cause: error })
  }
  if (!isChromaError(error)) return error
  const message = `Chroma at ${origin} refused the request: ${error.message}`
  return new ProviderError('bad-response', message, { retryable: false, cause: error })
}

function isChromaError(error: unknown): error is Error {
  return error instanceof Error && /^Chroma/.test(error.name)
}

function isConnectionFailure(error: unknown): boolean {
  const text = error instanceof Error ? `${error.name} ${error.message}` : String(error)
  return /ChromaConnectionError|fetch failed|Failed to connect|ECONNREFUSED/i.test(text)
}
