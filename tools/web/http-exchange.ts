import { type Dispatcher, fetch } from 'undici'
import { ToolError } from '../../src/core/errors.ts'
import { isSecretHeader, urlWithoutSecrets } from './canonical-request.ts'
import type { WebRequest, WebResponse } from './transport.ts'

type FetchResponse = Awaited<ReturnType<typeof fetch>>

/** How one transport carries requests: what it allows, and where an address is reached. */
export interface Carrier {
  /** Throws ToolError for an address that must not be asked; called before each request, after every redirect too. */
  check(url: string, purpose: WebRequest['purpose']): URL
  /** The address on the wire. */
  wireUrl(url: URL): string
  dispatcher(purpose: WebRequest['purpose']): Dispatcher
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * Sends a request over undici and follows its redirects by hand ('page' only), each one checked first. The body is
 * read decoded and refused beyond maxBytes; timeoutMs covers all of it.
 * @throws ToolError ('blocked', 'network', 'timeout', 'too-large') or the signal's reason
 */
export async function exchange(
  request: WebRequest,
  carrier: Carrier,
  signal: AbortSignal,
): Promise<WebResponse> {
  signal.throwIfAborted()
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(), request.timeoutMs)
  try {
    return await followed(request, carrier, AbortSignal.any([signal, timer.signal]))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (timer.signal.aborted) throw timedOut(request)
    throw asToolError(error, shownUrl(request))
  } finally {
    clearTimeout(timeout)
  }
}

async function followed(request: WebRequest, carrier: Carrier, signal: AbortSignal): Promise<WebResponse> {
  let hop = request
  for (let redirects = 0; ; redirects++) {
    const url = carrier.check(hop.url, hop.purpose)
    const response = await fetch(carrier.wireUrl(url), {
      method: hop.method,
      headers: { ...hop.headers },
      body: hop.body,
      redirect: 'manual',
      dispatcher: carrier.dispatcher(hop.purpose),
      signal,
    })
    const location = locationOf(response)
    if (hop.purpose !== 'page' || location === null) return await answered(response, url.href, hop)
    await response.body?.cancel()
    if (redirects >= request.maxRedirects) {
      throw new ToolError('network', `${request.url}: more than ${request.maxRedirects} redirects`)
    }
    hop = redirected(hop, response.status, location, url)
  }
}

// Header text arrives one character a byte, but servers write addresses in UTF-8.
function locationOf(response: FetchResponse): string | null {
  const location = response.headers.get('location')
  if (location === null || !redirectStatuses.has(response.status)) return null
  return Buffer.from(location, 'latin1').toString('utf8')
}

function redirected(hop: WebRequest, status: number, location: string, from: URL): WebRequest {
  if (!URL.canParse(location, from.href)) {
    throw new ToolError('network', `${from.href} redirects to what is no address`)
  }
  const to = new URL(location, from.href)
  const keepsBody = status === 307 || status === 308
  const headers = Object.fromEntries(
    Object.entries(hop.headers).filter(([name]) => to.origin === from.origin || !isSecretHeader(name)),
  )
  return { ...hop, url: to.href, headers, ...(keepsBody ? {} : { method: 'GET' as const, body: null }) }
}

async function answered(
  response: FetchResponse,
  finalUrl: string,
  request: WebRequest,
): Promise<WebResponse> {
  const parts: Uint8Array[] = []
  let size = 0
  if (response.body !== null) {
    for await (const part of response.body as AsyncIterable<Uint8Array>) {
      size += part.byteLength
      if (size > request.maxBytes) throw tooLarge(request)
      parts.push(part)
    }
  }
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.concat(parts),
    finalUrl,
  }
}

/** A service's address may hold the operator's key; failures end up in traces. */
function shownUrl(request: WebRequest): string {
  return request.purpose === 'service' ? urlWithoutSecrets(request.url, 'service') : request.url
}

function tooLarge(request: WebRequest): ToolError {
  return new ToolError('too-large', `${shownUrl(request)} is larger than ${request.maxBytes} bytes`)
}

function timedOut(request: WebRequest): ToolError {
  return new ToolError('timeout', `${shownUrl(request)} did not answer within ${request.timeoutMs} ms`, {
    infrastructure: true,
  })
}

// A name that does not exist is the agent's own mistake; a connection that fails is not.
const lastingFailures = new Set(['ENOTFOUND', 'ERR_INVALID_URL', 'UND_ERR_INVALID_ARG'])

/** Undici wraps what went wrong in `cause`, more than once where a connection had several addresses. A bug stays one. */
function asToolError(error: unknown, url: string): unknown {
  let code: string | null = null
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof ToolError) return inner
    if ('code' in inner && typeof inner.code === 'string') code = inner.code
  }
  const ofFetch = error instanceof TypeError && /^(?:fetch failed|terminated)$/.test(error.message)
  if (!(error instanceof Error) || (code === null && !ofFetch)) return error
  const reason = code ?? (error.cause instanceof Error ? error.cause.message : error.message)
  const infrastructure = code === null || !lastingFailures.has(code)
  return new ToolError('network', `${url} could not be reached: ${reason}`, { infrastructure, cause: error })
}
