import { statfs } from 'node:fs/promises'
import type { ChromaClient } from 'chromadb'
import { ConfigError, ProviderError, RunError } from '../../src/core/errors.ts'
import { firstLineOf } from '../../src/core/first-line.ts'
import {
  type ChromaFolder,
  type ChromaServer,
  claimChromaFolder,
  startChromaServer,
} from './chroma-server.ts'

/** A Chroma server to work with, ours or the user's; ours is started when first needed and again when it died. */
export interface ChromaConnection {
  /** Does the work with a client; once more on a new server where ours died under it. `generation` counts servers. */
  use<T>(work: (client: ChromaClient, generation: number) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const restarts = 3

/** Our own server over a persistent folder. */
export function ownChroma(baseFolder: string): ChromaConnection {
  let folder: ChromaFolder | null = null
  let running: Promise<{ server: ChromaServer; client: ChromaClient }> | null = null
  let generation = 0
  let closed = false

  async function start(): Promise<{ server: ChromaServer; client: ChromaClient }> {
    if (folder === null || folder.lost.aborted) folder = await claimChromaFolder(baseFolder)
    const server = await startChromaServer(folder.path)
    folder.lost.addEventListener('abort', () => void server.stop(), { once: true })
    const { ChromaClient } = await import('chromadb')
    generation++
    return { server, client: new ChromaClient({ host: '127.0.0.1', port: server.port }) }
  }

  async function connected(): Promise<{ server: ChromaServer; client: ChromaClient }> {
    const known = running
    const current = await known
    if (closed) throw new Error('the vector store was closed')
    // Another that waited too may have started the next one already.
    if (running === known && current?.server.alive() === false) running = null
    running ??= start()
    const starting = running
    starting.catch(() => {
      if (running === starting) running = null
    })
    return await starting
  }

  return {
    async use(work) {
      for (let attempt = 0; ; attempt++) {
        const { server, client } = await connected()
        try {
          return await work(client, generation)
        } catch (error) {
          // A request may fail a moment before the death of the process is known here.
          await new Promise(resolve => setTimeout(resolve, 50))
          if (closed) throw error
          await requireRoom(baseFolder, error)
          if (server.alive() || attempt >= restarts) throw error
        }
      }
    },
    async close() {
      closed = true
      const current = await running?.catch(() => null)
      await current?.server.stop()
      await folder?.release()
    },
  }
}

/** One document's index takes some 22 MB. */
const leastRoomBytes = 32e6

/** RunError where the disk is all but full: what the server says then is of any kind, and all that come after it would fail too. */
async function requireRoom(folder: string, error: unknown): Promise<void> {
  if (!isOfChroma(error)) return
  const { bavail, bsize } = await statfs(folder)
  const roomBytes = bavail * bsize
  if (roomBytes >= leastRoomBytes) return
  throw new RunError(
    `${folder}: ${Math.floor(roomBytes / 1e6)} MB are left on the disk and Chroma failed (${firstLineOf(error)}): make room, or name another --cache; a run goes on with the same command`,
    { cause: error },
  )
}

/** A server of the user's; whether it is there shows at the first use. */
export function externalChroma(url: string): ChromaConnection {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new ConfigError(`--chroma ${url}: not a URL such as http://127.0.0.1:8000`)
  }
  const ssl = parsed.protocol === 'https:'
  const port = parsed.port === '' ? (ssl ? 443 : 80) : Number(parsed.port)
  let client: Promise<ChromaClient> | null = null
  return {
    async use(work) {
      client ??= import('chromadb').then(
        ({ ChromaClient }) => new ChromaClient({ host: parsed.hostname, port, ssl }),
      )
      try {
        return await work(await client, 1)
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
  if (!isOfChroma(error)) return error
  const message = `Chroma at ${origin} refused the request: ${error.message}`
  return new ProviderError('bad-response', message, { retryable: false, cause: error })
}

function isOfChroma(error: unknown): error is Error {
  return error instanceof Error && /^Chroma/.test(error.name)
}

function isConnectionFailure(error: unknown): boolean {
  const text = error instanceof Error ? `${error.name} ${error.message}` : String(error)
  return /ChromaConnectionError|fetch failed|Failed to connect|ECONNREFUSED/i.test(text)
}
