import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOnLocalhost } from '../../system/listen.ts'
import { shownTrace } from '../trace/trace-steps.ts'
import type { TraceSource } from './html.ts'

/** A running server that shows a report. */
export interface ViewServer {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string
  close(): Promise<void>
}

/** The report and traces that `serveReport` serves. */
export interface ViewInput {
  /** The report without inlined traces. */
  readonly html: string
  /** Only traces of these attempts are served. */
  readonly attemptIds: readonly string[]
  readonly traces: TraceSource
  /** Default: a free port. */
  readonly port?: number
}

/**
 * Serves a report on 127.0.0.1. The page loads the trace of an attempt when it is opened.
 *
 * @throws ConfigError when the port is in use
 */
export async function serveReport(input: ViewInput): Promise<ViewServer> {
  const known = new Set(input.attemptIds)
  const server = createServer((request, response) => {
    answer(request, response, input, known).catch((error: unknown) => {
      send(response, 500, 'text/plain; charset=utf-8', error instanceof Error ? error.message : String(error))
    })
  })
  const port = await listenOnLocalhost(server, input.port ?? 0)
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>(done => server.close(() => done()))
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  input: ViewInput,
  known: ReadonlySet<string>,
): Promise<void> {
  // Another site whose name resolves to 127.0.0.1 (DNS rebinding) sends that name. It must not read traces.
  if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(request.headers.host ?? '')) {
    return send(response, 403, 'text/plain; charset=utf-8', 'open this server as 127.0.0.1 or localhost')
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (pathname === '/') return send(response, 200, 'text/html; charset=utf-8', input.html)
  const id = /^\/trace\/([^/]+)\.json$/.exec(pathname)?.[1]
  const attemptId = id === undefined ? null : decoded(id)
  if (attemptId === null || !known.has(attemptId)) {
    return send(response, 404, 'text/plain; charset=utf-8', 'page not found')
  }
  const events = await input.traces.eventsOf(attemptId)
  if (events === null) return send(response, 404, 'text/plain; charset=utf-8', 'this attempt has no trace')
  // The line to which a cell leads, which may be far from the beginning of a long text.
  const trace = shownTrace(events, input.traces.blob, { lines: searchParams.getAll('line') })
  send(response, 200, 'application/json; charset=utf-8', JSON.stringify(trace))
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(body)
}
