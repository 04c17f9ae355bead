/** A request as a tool makes it. The transport decides how, and whether, it leaves this machine. */
export interface WebRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /**
   * 'page': an agent or a page named the address, so the guards apply. 'service': the operator configured the
   * address (a search API). It is exempt from the address guard, and its redirects are not followed.
   */
  readonly purpose: 'page' | 'service'
  /** Whether the browser requests it for a page that it shows, such as a script. Absent: no. */
  readonly isPartOfPage?: boolean
  /** A body with more bytes than this is refused. */
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly maxRedirects: number
}

/** A response, after all redirects. */
export interface WebResponse {
  readonly status: number
  /** Lower-case names. Several Set-Cookie headers are one text with a line for each, as browsers take them. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The URL after all redirects. */
  readonly finalUrl: string
}

/**
 * Where search and fetch requests go: the live web, a sealed web, a recording or a replay, with or without faults.
 * All tools use this interface. `send` rejects with ToolError (`blocked`, `timeout`, `too-large`, `network`,
 * `replay-miss`) or the signal's reason. An HTTP error status is a response, not a failure.
 */
export interface Transport {
  readonly name: string
  send(request: WebRequest, signal: AbortSignal): Promise<WebResponse>
  /**
   * Returns the transport for one attempt. Recordings, replays and faults count each attempt's requests, so that
   * concurrent attempts do not affect each other. When absent, all attempts share the transport.
   */
  forAttempt?(attemptId: string): Transport
}

/** Returns the transport for one attempt. */
export function transportFor(transport: Transport, attemptId: string): Transport {
  return transport.forAttempt?.(attemptId) ?? transport
}

/** The name of this program in requests for pages. */
export const defaultUserAgent =
  'Mozilla/5.0 (compatible; tablehunt/0.1; research evaluation of language models)'

/**
 * Returns the request for a page. All requests use the same headers, because servers adapt their answer to language
 * and browser, and a different answer would look like a changed page.
 */
export function makePageRequest(url: string): WebRequest {
  return {
    method: 'GET',
    url,
    headers: {
      accept: 'text/html,application/xhtml+xml,application/pdf,*/*;q=0.8',
      'accept-language': 'en,zh;q=0.8,*;q=0.5',
      'user-agent': defaultUserAgent,
    },
    body: null,
    purpose: 'page',
    maxBytes: 64_000_000,
    timeoutMs: 60_000,
    maxRedirects: 8,
  }
}
