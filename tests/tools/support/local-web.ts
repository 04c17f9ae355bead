import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'
import { ToolError } from '../../../src/core/errors.ts'
import type { Transport, WebRequest } from '../../../tools/web/transport.ts'

/** A request that the server received. */
export interface LocalRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the server returns. */
export interface LocalAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A running local server. */
export interface LocalWeb {
  readonly url: string
  readonly requests: LocalRequest[]
  close(): Promise<void>
}

/** Starts a web server on 127.0.0.1 that answers with `answer` and stores the requests. */
export async function localWeb(
  answer: (request: LocalRequest, nth: number) => LocalAnswer,
): Promise<LocalWeb> {
  const requests: LocalRequest[] = []
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const asked = readRequest(incoming, Buffer.concat(chunks).toString('utf8'))
      requests.push(asked)
      send(outgoing, answer(asked, requests.length))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function readRequest(incoming: IncomingMessage, body: string): LocalRequest {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  )
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers, body }
}

function send(outgoing: ServerResponse, answer: LocalAnswer): void {
  outgoing.writeHead(answer.status ?? 200, { ...answer.headers })
  outgoing.end(answer.body ?? '')
}

/** Creates a transport over plain HTTP without guards: the live transport refuses addresses of this machine. */
export function plainTransport(): Transport {
  const dispatcher = new Agent()
  return {
    name: 'plain',
    async send(asked, signal) {
      let url = asked.url
      for (let redirects = 0; ; redirects += 1) {
        const response = await exchange({ ...asked, url }, dispatcher, signal)
        const location = response.headers.location
        if (
          response.status < 300 ||
          response.status > 399 ||
          location === undefined ||
          asked.maxRedirects === 0
        ) {
          return { ...response, finalUrl: url }
        }
        if (redirects >= asked.maxRedirects) throw new ToolError('network', 'too many redirects')
        url = new URL(location, url).href
      }
    },
  }
}

async function exchange(
  { url, method, headers, body }: Pick<WebRequest, 'url' | 'method' | 'headers' | 'body'>,
  dispatcher: Agent,
  signal: AbortSignal,
): Promise<{ status: number; headers: Record<string, string>; body: Uint8Array }> {
  try {
    const response = await request(url, { method, headers: { ...headers }, body, dispatcher, signal })
    const bytes = new Uint8Array(await response.body.arrayBuffer())
    const named = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
    return { status: response.statusCode, headers: Object.fromEntries(named), body: bytes }
  } catch (error) {
    throw new ToolError('network', `${url}: ${error instanceof Error ? error.message : error}`, {
      infrastructure: true,
      cause: error,
    })
  }
}
