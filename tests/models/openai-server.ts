import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

export type Play = (request: SeenRequest, response: ServerResponse, index: number) => void

/** A local server with OpenAI's API, whose answers a test decides. `seen` contains the requested completions. */
export async function startOpenAiServer(play: Play, get: Record<string, unknown> = {}) {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const path = request.url ?? ''
      if (request.method === 'GET') {
        const answer = get[path]
        response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(answer ?? {}))
        return
      }
      const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
      const entry = { method: request.method ?? '', path, headers: request.headers, body }
      seen.push(entry)
      play(entry, response, seen.length - 1)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    origin: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Returns a completion whose first choice has the message. `over` replaces top-level members. */
export function completion(message: Record<string, unknown>, over: Record<string, unknown> = {}) {
  return {
    id: 'chatcmpl-same',
    object: 'chat.completion',
    created: 1,
    model: 'fake',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null, ...message } }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    ...over,
  }
}

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(text)
}
