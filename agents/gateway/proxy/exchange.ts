import type { IncomingMessage, ServerResponse } from 'node:http'
import { ToolError, type ToolErrorClass } from '../../../src/core/errors.ts'
import type { PageBody } from '../../../tools/page/body-type.ts'
import { proxyCall } from '../../../tools/registry.ts'
import type { ToolArtifact, ToolEnvironment } from '../../../tools/tool.ts'
import type { WebResponse } from '../../../tools/web/transport.ts'
import { makePageRequest } from '../../../tools/web/transport.ts'
import type { GatewaySession } from '../session.ts'
import { isModelHost, isNamedHost } from './model-hosts.ts'
import { readWhole, requestPage } from './page-request.ts'

/** What an agent may request besides pages. */
export interface ProxyOptions {
  /** Hosts of model providers that agents may call. These calls are counted as fetches; their tokens are unknown. */
  readonly modelHosts: readonly string[]
  /** Requests of the attempt beyond this number are refused and not traced. Absent: 5,000. */
  readonly mostRequests?: number
}

const mostRequestBytes = 8_000_000
const modelTimeoutMs = 300_000

/** The answer to the client. */
interface WebReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
}

/** Returns a function that answers the requests of one attempt's agent to any address. */
export function createExchange(
  session: GatewaySession,
  options: ProxyOptions,
): (url: string, request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { mostRequests = 5_000 } = options
  let requests = 0
  return async (url, request, response) => {
    session.countRequest()
    requests += 1
    const reply =
      requests > mostRequests
        ? plainReply(403, `This attempt has sent more than ${mostRequests} requests. Answer now.`)
        : await replyTo(url, request, session, options)
    if (response.destroyed) return
    const body = Buffer.from(reply.body as Uint8Array)
    response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

async function replyTo(
  url: string,
  request: IncomingMessage,
  session: GatewaySession,
  { modelHosts }: ProxyOptions,
): Promise<WebReply> {
  const method = request.method ?? 'GET'
  const sent = await readBody(request)
  if (sent === null) return plainReply(413, `The body is larger than ${mostRequestBytes} bytes.`)
  let reply: WebReply | null = null
  let failure: unknown = null
  const work = async (environment: ToolEnvironment): Promise<readonly [string, ToolArtifact]> => {
    try {
      const isAllowedModelHost = isNamedHost(modelHosts, readHost(url))
      if (!isAllowedModelHost) refuseUnlessPage(method, url)
      const exchange = isAllowedModelHost
        ? await passOn({ method, url, body: sent }, request, environment)
        : await openPage(method, url, environment)
      reply = exchange.reply
      if (exchange.failure !== null) throw exchange.failure
      return exchange.seen
    } catch (error) {
      failure = error
      throw error
    }
  }
  const { outcome, text } = await session.perform(proxyCall, { method, url: url.slice(0, 4_000) }, work)
  if (reply !== null) return reply
  if (outcome === 'answered') throw new Error('a request through the proxy was answered without a reply')
  return plainReply(failure instanceof ToolError ? chooseStatus(failure.errorClass) : 403, text)
}

/** Refusals have status 403, because clients repeat other requests. Failures of the web have a proxy's usual statuses. */
function chooseStatus(errorClass: ToolErrorClass): number {
  if (errorClass === 'timeout') return 504
  if (errorClass === 'bad-input') return 400
  return errorClass === 'network' || errorClass === 'too-large' || errorClass === 'replay-miss' ? 502 : 403
}

/** @throws ToolError `blocked` for hosts of model providers, and for methods that change something */
function refuseUnlessPage(method: string, url: string): void {
  const host = readHost(url)
  if (isModelHost(host))
    throw new ToolError(
      'blocked',
      `${host} belongs to a model provider, and a request to it would bypass the budget. Use the model at OPENAI_BASE_URL or ANTHROPIC_BASE_URL. The operator can allow the host with --agent-model-host.`,
    )
  if (method !== 'GET' && method !== 'HEAD')
    throw new ToolError(
      'blocked',
      `${method} is not passed on, only GET and HEAD. Searches go to TABLEHUNT_MCP_URL or SERPER_BASE_URL.`,
    )
}

interface Done {
  readonly reply: WebReply
  readonly seen: readonly [string, ToolArtifact]
  /** An error for the trace, although the client gets an answer; null when the trace records the answer. */
  readonly failure: ToolError | null
}

async function openPage(method: string, url: string, environment: ToolEnvironment): Promise<Done> {
  const answer = await requestPage(url, environment)
  if (!answer.ok) return failedStatus(url, answer.response)
  const { body } = answer
  const location = findRedirect(url, body)
  const shownBody = await readWhole(body, method === 'GET' && location === null, environment)
  const headers = body.contentTypeHeader === '' ? {} : { 'content-type': body.contentTypeHeader }
  const reply =
    location === null
      ? { status: 200, headers, body: body.bytes }
      : { status: 302, headers: { location }, body: '' }
  return { reply, seen: shownBody, failure: null }
}

/**
 * The address to which a client is redirected. The transport has already followed all redirects, but the client must know
 * the final address. Its second request is answered from the downloaded body.
 */
function findRedirect(url: string, { finalUrl }: PageBody): string | null {
  const [requested, final] = [new URL(url), new URL(finalUrl)]
  requested.hash = ''
  final.hash = ''
  return requested.href === final.href ? null : final.href
}

function failedStatus(url: string, { status, headers, body }: WebResponse): Done {
  const keptHeaders = ['content-type', 'retry-after'].flatMap(name => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const mayPass = status === 429 || status >= 500
  return {
    reply: { status, headers: Object.fromEntries(keptHeaders), body },
    seen: ['', { truncated: false, observations: [] }],
    failure: new ToolError('http-status', `HTTP ${status} for ${url}`, { infrastructure: mayPass }),
  }
}

const passedHeaders =
  /^(?:accept|accept-language|content-type|authorization|x-api-key|x-goog-api-key|api-key|anthropic-.*|openai-.*)$/

/** Sends a request to a model provider that the operator allows, with the agent's own key. */
async function passOn(
  { method, url, body }: { readonly method: string; readonly url: string; readonly body: string },
  { headers }: IncomingMessage,
  environment: ToolEnvironment,
): Promise<Done> {
  if (method !== 'GET' && method !== 'POST')
    throw new ToolError('blocked', `${method} is not passed on to ${readHost(url)}, only GET and POST.`)
  environment.charge('fetchCalls', `model host: ${readHost(url)}`)
  const passed = Object.entries(headers).filter(([name]) => passedHeaders.test(name))
  const response = await environment.transport.send(
    {
      ...makePageRequest(url),
      method,
      headers: Object.fromEntries(passed.map(([name, value]) => [name, String(value)])),
      body: method === 'POST' ? body : null,
      timeoutMs: modelTimeoutMs,
    },
    environment.signal,
  )
  if (response.status < 200 || response.status > 299) return failedStatus(url, response)
  const contentType = response.headers['content-type'] ?? ''
  return {
    reply: {
      status: response.status,
      headers: contentType === '' ? {} : { 'content-type': contentType },
      body: response.body,
    },
    seen: [`HTTP ${response.status}, ${response.body.length} bytes`, { truncated: false, observations: [] }],
    failure: null,
  }
}

/** Returns an answer that a person can read. */
export function plainReply(status: number, text: string): WebReply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` }
}

/** Returns null for a body that is too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes <= mostRequestBytes) chunks.push(chunk as Buffer)
    else if (bytes > 4 * mostRequestBytes) return null
  }
  return bytes > mostRequestBytes ? null : Buffer.concat(chunks).toString('utf8')
}

function readHost(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}
