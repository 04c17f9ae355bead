import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import PQueue from 'p-queue'
import { BadRequestError } from '../../src/models/dialects/dialect.ts'
import { closeServer, listenOnLocalhost } from '../../src/system/listen.ts'
import { createSecretCheck } from '../../src/system/secret-check.ts'
import { type GatewayRoute, sendJson } from './route.ts'
import type { GatewaySession } from './session.ts'

/** The gateway of one attempt. */
interface Gateway {
  /** The environment variables of all routes. */
  readonly variables: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Longer bodies are refused. */
const mostBodyBytes = 32_000_000
/** The rest of a body that is too long is read and dropped, up to this size. Otherwise the client would not see the refusal. */
const mostDroppedBytes = 256_000_000
/** Bodies of this size and more are long. At most `mostLongBodies` of them are in memory at a time. */
const longBodyBytes = 1_000_000
const mostLongBodies = 4
/** Further requests wait unread. The limit is high: model calls take long, and some agents make many at a time. */
const mostRequestsAtOnce = 64
/** Further connections are closed at once, so that one agent cannot use up the file descriptors of the run. */
const mostConnections = 512
const headersTimeoutMs = 30_000
const requestTimeoutMs = 120_000
/** Some clients keep connections open for minutes and expect them to work. */
const keepAliveTimeoutMs = 120_000

/** Serves an attempt's session on 127.0.0.1 under a secret path. */
export async function openGateway(
  session: GatewaySession,
  routes: readonly GatewayRoute[],
): Promise<Gateway> {
  const secret = `/s/${randomBytes(16).toString('hex')}`
  const isSecret = createSecretCheck(secret)
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
      // A client that disconnects or stops sending its body affects only its own request.
      incoming.on('error', () => undefined)
      response.on('error', () => undefined)
      const path = readPath(incoming)
      // A client without the secret path is not the agent of the attempt, so its requests do not count against the attempt.
      if (path[secret.length] !== '/' || !isSecret(path.slice(0, secret.length))) {
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
    const route = routes.find(candidate => candidate.matches(method, path))
    session.countRequest()
    if (route === undefined) return sendJson(response, 404, { error: `no route ${method} ${path}` })
    const body = (): Promise<string> => bodies.read(incoming, response)
    await route.answer({ method, path, query, incoming, response, body }, session)
    await waitForEnd(response)
  }
  const port = await listenOnLocalhost(server, 0)
  const base = `http://127.0.0.1:${port}${secret}`
  return {
    variables: Object.assign({}, ...routes.map(route => route.variables(base))),
    close: () => closeServer(server),
  }
}

function readPath({ url = '/' }: IncomingMessage): string {
  try {
    return new URL(url, 'http://127.0.0.1').pathname
  } catch {
    return '/'
  }
}

/** Answers a request whose route failed. */
function refuseUnread(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const message = error instanceof BadRequestError ? error.message : 'the request failed'
  sendJson(response, 400, { error: message })
}

/** Waits until a response is sent or its connection is closed. */
async function waitForEnd(response: ServerResponse): Promise<void> {
  if (response.writableFinished || response.closed || response.destroyed) return
  await new Promise<void>(resolve => response.once('close', resolve))
}

/** Reads bodies of requests. Only a few long ones are in memory at a time. The others wait unread. */
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

  /** Waits for a free place for a long body. The request keeps the place until it is answered. */
  async #placeFor(response: ServerResponse): Promise<void> {
    await new Promise<void>(resolve => {
      void this.#long.add(async () => {
        resolve()
        await waitForEnd(response)
      })
    })
  }
}
