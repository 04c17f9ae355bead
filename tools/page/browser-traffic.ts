import type { Request, Route } from 'playwright'
import { decodeText } from '../../retrieval/text/decode.ts'
import { ToolError } from '../../src/core/errors.ts'
import type { Transport, WebResponse } from '../web/transport.ts'
import { classifyBody } from './body-type.ts'

const maxRequests = 150
const maxResourceBytes = 20_000_000
const requestTimeoutMs = 15_000
const maxRedirects = 5

const skippedTypes = new Set(['image', 'font', 'media', 'texttrack', 'manifest', 'ping', 'eventsource'])
/** Headers of the connection, which the transport sets itself. */
const connectionHeaders = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'keep-alive'])
/**
 * Headers that a page's scripts can read. The encoding is excluded because the transport has decoded the body;
 * redirects are excluded because the transport follows them.
 */
const readableHeaders = /^(content-type|set-cookie|access-control-.*)$/

/** What a server answered to the navigation of a page. */
export interface OpenedAnswer {
  readonly response: WebResponse
  /** Whether it is a file rather than a web page. The browser then shows an empty page. */
  readonly isFile: boolean
}

/** Answers every request of a page through the transport, so that no request reaches the network in another way. */
export class BrowserTraffic {
  readonly #transport: Transport
  readonly #signal: AbortSignal
  /** Responses that are already available, by URL: the page itself and the targets of redirected navigations. */
  readonly #available: Map<string, WebResponse>
  #requests = 0
  #pending = 0
  #lastChangeMs: number
  #failure: unknown = null
  #refusal: ToolError | null = null
  readonly #opens: boolean
  #opened: OpenedAnswer | null = null

  /** @param page the downloaded page; null when the browser fetches it */
  constructor(transport: Transport, signal: AbortSignal, page: WebResponse | null) {
    this.#transport = transport
    this.#signal = signal
    this.#available = new Map(page === null ? [] : [[page.finalUrl, page]])
    this.#opens = page === null
    this.#lastChangeMs = performance.now()
  }

  /** Milliseconds since the last request finished or failed; 0 while a request is in progress. */
  get quietMs(): number {
    return this.#pending > 0 ? 0 : performance.now() - this.#lastChangeMs
  }

  /** The first failure caused by a bug of ours rather than by the page; null when there was none. */
  get failure(): unknown {
    return this.#failure
  }

  /** Why the last navigation of the page could not be fetched; null when it could. */
  get refusal(): ToolError | null {
    return this.#refusal
  }

  /** The last answer to a navigation of a page that the browser fetches; null while there is none. */
  get opened(): OpenedAnswer | null {
    return this.#opened
  }

  /**
   * Answers one request. Images, fonts and media are not loaded; style sheets are empty. Never rejects, because no
   * caller could handle the rejection.
   */
  async handle(route: Route): Promise<void> {
    try {
      await this.#handle(route)
    } catch (error) {
      // A page that was closed or has navigated leaves requests behind.
      if (!this.#signal.aborted && !/closed|already handled|Invalid InterceptionId/i.test(String(error))) {
        this.#failure ??= error
      }
    }
  }

  async #handle(route: Route): Promise<void> {
    const request = route.request()
    if (request.resourceType() === 'stylesheet') {
      await route.fulfill({ status: 200, contentType: 'text/css', body: '' })
      return
    }
    if (skippedTypes.has(request.resourceType()) || this.#requests >= maxRequests) {
      await route.abort('blockedbyclient')
      return
    }
    this.#requests += 1
    this.#pending += 1
    try {
      await this.#answer(route, request)
    } finally {
      this.#pending -= 1
      this.#lastChangeMs = performance.now()
    }
  }

  async #answer(route: Route, request: Request): Promise<void> {
    const url = withoutFragment(request.url())
    const ready = request.isNavigationRequest() ? this.#available.get(url) : undefined
    const response = ready ?? (await this.#send(request, url))
    // The browser would follow a 3xx response itself and bypass the guards.
    if (response === null || (response.status >= 300 && response.status < 400)) {
      await route.abort('failed')
      return
    }
    if (request.isNavigationRequest() && withoutFragment(response.finalUrl) !== url) {
      this.#available.set(withoutFragment(response.finalUrl), response)
      const onward = JSON.stringify(response.finalUrl).replaceAll('<', '\\u003c')
      await route.fulfill({
        status: 200,
        contentType: 'text/html',
        body: `<script>location.replace(${onward})</script>`,
      })
      return
    }
    if (this.#opens && isWholePage(request)) {
      this.#opened = { response, isFile: !isHtml(response) }
      // The browser would download the file, or show it in a viewer of its own.
      if (this.#opened.isFile) {
        await route.fulfill({ status: 200, contentType: 'text/html', body: '' })
        return
      }
    }
    const { headers, body } = request.isNavigationRequest() ? asUtf8(response) : response
    await route.fulfill({
      status: response.status,
      headers: onlyHeaders(headers, name => readableHeaders.test(name)),
      body: Buffer.from(body),
    })
  }

  /** Returns null when the transport refuses or fails. The page sees a failed request. */
  async #send(request: Request, url: string): Promise<WebResponse | null> {
    const method = request.method()
    if (method !== 'GET' && method !== 'POST') return null
    try {
      return await this.#transport.send(
        {
          method,
          url,
          headers: onlyHeaders(
            await request.allHeaders(),
            name => !name.startsWith(':') && !connectionHeaders.has(name),
          ),
          body: method === 'POST' ? request.postData() : null,
          purpose: 'page',
          isPartOfPage: !isWholePage(request),
          maxBytes: maxResourceBytes,
          timeoutMs: requestTimeoutMs,
          maxRedirects,
        },
        this.#signal,
      )
    } catch (error) {
      if (isWholePage(request) && error instanceof ToolError) this.#refusal = error
      if (error instanceof ToolError || this.#signal.aborted) return null
      throw error
    }
  }
}

/** Returns whether the request is for the page itself, not for a frame or a resource of it. */
function isWholePage(request: Request): boolean {
  return request.isNavigationRequest() && request.frame().parentFrame() === null
}

function isHtml({ body, headers, finalUrl }: WebResponse): boolean {
  return classifyBody(body, headers['content-type'] ?? '', finalUrl) === 'html'
}

/** Converts a page to UTF-8. A browser would read a page that declares no charset as Windows-1252. */
function asUtf8(response: WebResponse): WebResponse {
  const { headers, body } = response
  const contentType = headers['content-type'] ?? ''
  if (!/html/i.test(contentType)) return response
  return {
    ...response,
    headers: { ...headers, 'content-type': `${contentType.split(';')[0]}; charset=utf-8` },
    body: Buffer.from(decodeText(body, contentType)),
  }
}

function onlyHeaders(
  headers: Readonly<Record<string, string>>,
  isIncluded: (name: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isIncluded(name.toLowerCase())))
}

function withoutFragment(url: string): string {
  return url.split('#')[0] ?? url
}
