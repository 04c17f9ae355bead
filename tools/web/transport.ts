/** A request as a tool makes it; the transport decides how, and whether, it leaves this machine. */
export interface WebRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /**
   * 'page': named by the agent or a page, so guards bind it. 'service': an address that the operator configured
   * (a search API): exempt from the address guard, its redirects are not followed.
   */
  readonly purpose: 'page' | 'service'
  /** The body is cut off and refused beyond this many bytes. */
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly maxRedirects: number
}

export interface WebResponse {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Where redirects ended. */
  readonly finalUrl: string
}

/**
 * Where search and fetch go: live, sealed, record or replay, with or without faults. One interface under all tools.
 * Rejects with ToolError ('blocked', 'timeout', 'too-large', 'network', 'replay-miss') or the signal's reason;
 * an HTTP status is an answer, not a failure.
 */
export interface Transport {
  readonly name: string
  send(request: WebRequest, signal: AbortSignal): Promise<WebResponse>
  /**
   * The transport as one attempt sees it: recordings, replays and faults count how often the attempt made a request, so
   * that attempts that run side by side do not change what each other gets. Absent: every attempt sees the same.
   */
  forAttempt?(attemptId: string): Transport
}

/** `transport` for one attempt. */
export function transportFor(transport: Transport, attemptId: string): Transport {
  return transport.forAttempt?.(attemptId) ?? transport
}
