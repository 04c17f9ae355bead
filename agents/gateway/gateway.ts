import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
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

/** Larger bodies are refused with status 413. */
const mostBodyBytes = 32_000_000

/** Serves an attempt's session on 127.0.0.1 under a secret path. */
export async function openGateway(
  session: GatewaySession,
  routes: readonly GatewayRoute[],
): Promise<Gateway> {
  const secret = `/s/${randomBytes(16).toString('hex')}`
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy())
  })
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://127.0.0.1')
    if (!pathname.startsWith(`${secret}/`)) return sendJson(response, 404, { error: 'not found' })
    const path = pathname.slice(secret.length)
    const method = incoming.method ?? 'GET'
    const route = routes.find(one => one.matches(method, path))
    if (route === undefined) return sendJson(response, 404, { error: `no route ${method} ${path}` })
    const request = { method, path, query: searchParams, incoming, response, body: () => readBody(incoming) }
    await route.answer(request, session)
  }
  const port = await listenOnLocalhost(server, 0)
  const base = `http://127.0.0.1:${port}${secret}`
  return {
    variables: Object.assign({}, ...routes.map(route => route.variables(base))),
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += (chunk as Buffer).length
    if (bytes > mostBodyBytes) throw new BadRequestError(`the body is larger than ${mostBodyBytes} bytes`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
