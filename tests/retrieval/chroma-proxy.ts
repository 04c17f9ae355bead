import { createServer, request as httpRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request that reached the proxy. */
export interface PassedRequest {
  /** The last part of the path, such as `upsert`, `query` or `pre-flight-checks`. */
  readonly operation: string
  /** The members of the JSON body; empty without a body. */
  readonly body: Record<string, unknown>
}

/** An answer that replaces the one of the server. */
export interface ReplacedAnswer {
  readonly status: number
  readonly body: string
}

/** Returns the answer for a request; null passes it to the server. */
export type Replace = (operation: string) => ReplacedAnswer | null

/** Starts a proxy before a Chroma server. `passed` contains the requests in their order. */
export async function startChromaProxy(port: number, replace: Replace = () => null) {
  const passed: PassedRequest[] = []
  const proxy = createServer(async (request, response) => {
    const sent = await buffer(request)
    const operation = new URL(request.url ?? '', 'http://proxy').pathname.split('/').at(-1) ?? ''
    passed.push({ operation, body: sent.length === 0 ? {} : JSON.parse(sent.toString()) })
    const replaced = replace(operation)
    if (replaced !== null) {
      answer(response, replaced)
      return
    }
    const { method, url: path, headers } = request
    const forwarded = httpRequest({ host: '127.0.0.1', port, method, path, headers }, async received => {
      answer(response, { status: received.statusCode ?? 500, body: (await buffer(received)).toString() })
    })
    forwarded.end(sent)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    passed,
    /** Returns the bodies of the requests of one operation. */
    bodiesOf: (operation: string) =>
      passed.filter(request => request.operation === operation).map(({ body }) => body),
    close: () =>
      new Promise<void>(resolve => {
        proxy.close(() => resolve())
        proxy.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, { status, body }: ReplacedAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}
