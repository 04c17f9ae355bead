import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebRequest } from '../../../tools/web/transport.ts'

/** A running test server. */
export interface LocalServer {
  readonly port: number
  /** The requests so far, as `METHOD path`. */
  readonly seen: string[]
  close(): Promise<void>
}

/** Starts an HTTP server on a loopback address. */
export async function startServer(
  listener: RequestListener,
  host = '127.0.0.1',
  port = 0,
): Promise<LocalServer> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    listener(request, response)
  })
  await new Promise<void>(done => server.listen(port, host, done))
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>(done => server.close(() => done()))
    },
  }
}

/** Returns a page request with generous limits, which tests override. */
export function pageRequest(url: string, overrides: Partial<WebRequest> = {}): WebRequest {
  return {
    method: 'GET',
    url,
    headers: {},
    body: null,
    purpose: 'page',
    maxBytes: 10_000_000,
    timeoutMs: 10_000,
    maxRedirects: 5,
    ...overrides,
  }
}

/** Returns a signal that is never aborted. */
export const noSignal = (): AbortSignal => new AbortController().signal

/** Decodes a body as UTF-8. */
export const textOf = (body: Uint8Array): string => Buffer.from(body).toString('utf8')
