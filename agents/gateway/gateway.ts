import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import PQueue from 'p-queue'
import { listenOnLocalhost } from '../../src/system/listen.ts'
import { BadRequestError } from './dialects/dialect.ts'
import { type GatewayRoute, sendJson } from './route.ts'
import type { GatewaySession } from './session.ts'

/** The gateway of one attempt. */
export interface Gateway {
  /** The environment variables of all routes. */
  readonly variables: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Longer bodies are refused. */
const mostBodyBytes = 32_000_000
/** The rest of a body that is too long is read and dropped up to here, so that the client sees the refusal. */
const mostDroppedBytes = 256_000_000
/** A body of this size is kept in memory only together with `mostLongBodies` others. */
const longBodyBytes = 1_000_000
const mostLongBodies = 4
/** More requests wait, unread. Model calls take long, so agents that call many models at once need room. */
const mostRequestsAtOnce = 64
/** More connections are closed at once: an agent must not use up the file descriptors of the whole run. */
const mostConnections = 512
const headersTimeoutMs = 30_000
const requestTimeoutMs = 120_000
/** Clients that keep connections for minutes must not find one closed. */
const keepAliveTimeoutMs = 120_000

/** Serves an attempt's session on 127.0.0.1 under a secret path. */
export async function openGateway(
  session: GatewaySession,
  routes: readonly GatewayRoute[],
): Promise<Gateway> {
  const secret = `/s/${randomBytes(16).toString('hex')}`
  const requests = new PQueue({ concurrency: mostRequestsAtOnce })
  const bodies = new BodyReader()
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: 5_000,
    },
    (incoming, response) => {
      // A client that goes away, or sends no more of its body, harms its own request alone.
      incoming.on('error', () => undefined)
      response.on('error', () => undefined)
      const path = pathOf(incoming)
      // Whoever does not know the path is not the attempt's agent, and must not end its attempt.
      if (!path.startsWith(`${secret}/`)) {
        response.shouldKeepAlive = false
        return sendJson(response, 404, { error: 'not found' })
      }
      void requests.add(() => answer(incoming, response).catch(error => refuseUnread(response, error)))
    },
  )
  server.maxConnections = mostConnections
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.socket.destroyed) return
    const { pathname, searchParams: query } = new URL(incoming.url!, 'http://127.0.0.1')
    const path = pathname.slice(secret.length)
    const method = incoming.method ?? 'GET'
    const route = routes.find(one => one.matches(method, path))
    session.countRequest()
    if (route === undefined) return sendJson(response, 404, { error: `no route ${method} ${path}` })
    const body = (): Promise<string> => bodies.read(incoming, response)
    await route.answer({ method, path, query, incoming, response, body }, session)
    await ended(response)
  }
  const port = await listenOnLocalhost(server, 0)
  const base = `http://127.0.0.1:${port}${secret}`
  return {
    variables: Object.assign({}, ...routes.map(route => route.variables(base))),
    close: () => closeServer(server),
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  try {
    return new URL(url, 'http://127.0.0.1').pathname
  } catch {
    return '/'
  }
}

/** Answers a request that its route could not answer. */
function refuseUnread(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const message = error instanceof BadRequestError ? error.message : 'the request could not be answered'
  sendJson(response, 400, { error: message })
}

/** Waits until a response is sent or its connection is closed, so that its place is free. */
async function ended(response: ServerResponse): Promise<void> {
  if (response.writableFinished || response.closed || response.destroyed) return
  await new Promise<void>(resolve => response.once('close', resolve))
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

/** Reads bodies of requests. Only a few long ones are in memory at a time; others wait in the agent. */
class BodyReader {
  readonly #long = new PQueue({ concurrency: mostLongBodies })

  /** @throws BadRequestError when it is longer than `mostBodyBytes` */
  async read(incoming: IncomingMessage, response: ServerResponse): Promise<string> {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of incoming) {
      const before = bytes
      bytes += (chunk as Buffer).length
      if (before <= longBodyBytes && bytes > longBodyBytes) await this.#placeFor(response)
      if (bytes <= mostBodyBytes) chunks.push(chunk as Buffer)
      else chunks.length = 0
      if (bytes > mostDroppedBytes) break
    }
    if (bytes > mostBodyBytes) throw new BadRequestError(`the body is longer than ${mostBodyBytes} bytes`)
    return Buffer.concat(chunks).toString('utf8')
  }

  /** Waits for a place, which the request keeps until it is answered. */
  async #placeFor(response: ServerResponse): Promise<void> {
    await new Promise<void>(resolve => {
      void this.#long.add(async () => {
        resolve()
        await ended(response)
      })
    })
  }
}
