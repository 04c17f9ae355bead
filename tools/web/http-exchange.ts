import { type Dispatcher, fetch } from 'undici'
import { ToolError } from '../../src/core/errors.ts'
import { registerSecret } from '../../src/system/secret-values.ts'
import { isSecretHeader, listSecretValues, normaliseUrl } from './canonical-request.ts'
import { describeNetworkFailure } from './failure-words.ts'
import type { WebRequest, WebResponse } from './transport.ts'

type FetchResponse = Awaited<ReturnType<typeof fetch>>

/** How a transport carries requests: which addresses it allows, and where it connects. */
export interface ConnectionRules {
  /**
   * Called before each request and after every redirect.
   *
   * @throws ToolError when the address must not be requested
   */
  check(url: string, purpose: WebRequest['purpose']): URL
  /** Returns the address to connect to. */
  wireUrl(url: URL): string
  dispatcher(purpose: WebRequest['purpose']): Dispatcher
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * Sends a request with undici and follows redirects of pages itself, so that each one is checked first. The body is
 * decoded and refused beyond maxBytes. timeoutMs covers the whole exchange.
 *
 * @throws ToolError `blocked`, `network`, `timeout` or `too-large`, or the signal's reason
 */
export async function sendWithRedirects(
  request: WebRequest,
  carrier: ConnectionRules,
  signal: AbortSignal,
): Promise<WebResponse> {
  signal.throwIfAborted()
  // A plug-in may have read its key in any way.
  if (request.purpose === 'service') for (const value of listSecretValues(request)) registerSecret(value)
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(), request.timeoutMs)
  try {
    return await followRedirects(request, carrier, AbortSignal.any([signal, timer.signal]))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (timer.signal.aborted) throw createTimeoutError(request)
    throw asToolError(error, formatUrl(request))
  } finally {
    clearTimeout(timeout)
  }
}

async function followRedirects(
  request: WebRequest,
  carrier: ConnectionRules,
  signal: AbortSignal,
): Promise<WebResponse> {
  let hop = request
  const cookies = new RedirectCookies()
  for (let redirects = 0; ; redirects++) {
    const url = carrier.check(hop.url, hop.purpose)
    const response = await fetch(carrier.wireUrl(url), {
      method: hop.method,
      headers: addCookies(hop, cookies.headerFor(url)),
      body: hop.body,
      redirect: 'manual',
      dispatcher: carrier.dispatcher(hop.purpose),
      signal,
    })
    const location = findRedirectTarget(response, url)
    if (hop.purpose !== 'page' || location === null) return await readResponse(response, url.href, hop)
    cookies.add(url, response.headers.getSetCookie())
    await response.body?.cancel()
    if (redirects >= request.maxRedirects) {
      throw new ToolError('network', `${request.url}: more than ${request.maxRedirects} redirects`)
    }
    hop = makeRedirectRequest(hop, response.status, location, url)
  }
}

// Header text arrives as one character per byte, but servers write addresses in UTF-8.
function findRedirectTarget(response: FetchResponse, url: URL): string | null {
  const location = redirectStatuses.has(response.status)
    ? response.headers.get('location')
    : refreshTarget(response, url)
  return location === null ? null : Buffer.from(location, 'latin1').toString('utf8')
}

/** A Refresh header that sends a reader to another page after more seconds than this shows a page of its own first. */
const maxRefreshSeconds = 10

/** Returns the address of a `Refresh: 0; url=…` header. A page that only reloads itself is no redirect. */
function refreshTarget(response: FetchResponse, url: URL): string | null {
  const refresh = response.ok ? (response.headers.get('refresh') ?? '') : ''
  const [, seconds = '', target = ''] = /^\s*([\d.]+)\s*[;,]\s*url\s*=\s*["']?([^"']+)/i.exec(refresh) ?? []
  if (target === '' || Number(seconds) > maxRefreshSeconds || !URL.canParse(target, url.href)) return null
  return new URL(target, url.href).href === url.href ? null : target
}

/** Adds the cookies of a chain of redirects to those of the request. */
function addCookies({ headers }: WebRequest, cookies: string | null): Record<string, string> {
  if (cookies === null) return { ...headers }
  return { ...headers, cookie: headers.cookie === undefined ? cookies : `${headers.cookie}; ${cookies}` }
}

function makeRedirectRequest(hop: WebRequest, status: number, location: string, from: URL): WebRequest {
  if (!URL.canParse(location, from.href)) {
    throw new ToolError('network', `${from.href} redirects to an invalid address`)
  }
  const to = new URL(location, from.href)
  const keepsBody = status === 307 || status === 308
  const headers = Object.fromEntries(
    Object.entries(hop.headers).filter(([name]) => to.origin === from.origin || !isSecretHeader(name)),
  )
  return { ...hop, url: to.href, headers, ...(keepsBody ? {} : { method: 'GET' as const, body: null }) }
}

async function readResponse(
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
    headers: readHeaders(response),
    body: Buffer.concat(parts),
    finalUrl,
  }
}

/** Returns the headers by name. A server may send several cookies, each in a header of its own. */
function readHeaders({ headers }: FetchResponse): Record<string, string> {
  const cookies = headers.getSetCookie()
  return {
    ...Object.fromEntries(headers),
    ...(cookies.length === 0 ? {} : { 'set-cookie': cookies.join('\n') }),
  }
}

/**
 * Returns the address for error messages, which end up in traces. A service's address may contain the operator's
 * key.
 */
function formatUrl(request: WebRequest): string {
  return request.purpose === 'service' ? normaliseUrl(request.url, 'service') : request.url
}

function tooLarge(request: WebRequest): ToolError {
  return new ToolError('too-large', `${formatUrl(request)} is larger than ${request.maxBytes} bytes`)
}

function createTimeoutError(request: WebRequest): ToolError {
  return new ToolError('timeout', `${formatUrl(request)} did not answer within ${request.timeoutMs} ms`, {
    infrastructure: true,
  })
}

// A name that does not exist is the agent's mistake; a failed connection is not.
const lastingFailures = new Set(['ENOTFOUND', 'ERR_INVALID_URL', 'UND_ERR_INVALID_ARG'])

/**
 * Maps a failure to a ToolError. Undici stores the reason in `cause`, nested when a connection had several
 * addresses. Errors without a known cause are bugs and stay unchanged.
 */
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
  return describeNetworkFailure(url, reason, { infrastructure, cause: error })
}

interface Cookie {
  readonly value: string
  /** The host that set the cookie, or the domain that it named. */
  readonly domain: string
  readonly isForSubdomains: boolean
  readonly path: string
  readonly isSecure: boolean
}

/** The cookies that a chain of redirects sets. They are sent back in the same chain only, and then forgotten. */
class RedirectCookies {
  readonly #cookies = new Map<string, Cookie>()

  /** @param lines the values of the Set-Cookie headers of an answer of `url` */
  add(url: URL, lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
      const at = pair.indexOf('=')
      if (at <= 0) continue
      const attribute = (name: string): string | null => {
        const match = attributes.find(part => part.toLowerCase().split('=')[0]?.trim() === name)
        return match === undefined ? null : match.slice(match.indexOf('=') + 1).trim()
      }
      const named = (attribute('domain') ?? '').replace(/^\./, '').toLowerCase()
      // A domain without a dot, such as `com`, would send the cookie everywhere.
      const isForSubdomains = named.includes('.') && isWithin(url.hostname, named)
      if (named !== '' && named !== url.hostname && !isForSubdomains) continue
      const path = attribute('path') ?? ''
      const cookie = {
        value: pair.slice(at + 1),
        domain: isForSubdomains ? named : url.hostname,
        isForSubdomains,
        path: path.startsWith('/') ? path : '/',
        isSecure: attribute('secure') !== null,
      }
      const key = `${pair.slice(0, at)}\n${cookie.domain}\n${cookie.path}`
      const isDeleted =
        Number(attribute('max-age') ?? 1) <= 0 || Date.parse(attribute('expires') ?? '') < oldestMs
      if (isDeleted) this.#cookies.delete(key)
      else this.#cookies.set(key, cookie)
    }
  }

  /** Returns the Cookie header of a request; null when there is none. */
  headerFor(url: URL): string | null {
    const pairs = [...this.#cookies].flatMap(([key, { value, domain, isForSubdomains, path, isSecure }]) => {
      const isHost = url.hostname === domain || (isForSubdomains && isWithin(url.hostname, domain))
      const isPath = url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
      return isHost && isPath && (!isSecure || url.protocol === 'https:')
        ? [`${key.split('\n')[0]}=${value}`]
        : []
    })
    return pairs.length === 0 ? null : pairs.join('; ')
  }
}

/** Servers delete a cookie by a date long ago. No clock is read, so that a replay sends what the run sent. */
const oldestMs = Date.parse('2000-01-01')

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}
