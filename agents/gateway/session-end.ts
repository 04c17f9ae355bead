import { setMaxListeners } from 'node:events'
import type { MeteredKind } from '../budget.ts'

/** The end of an attempt behind a gateway. */
export interface SessionEnd {
  /** Aborts when the attempt must end. */
  readonly signal: AbortSignal
  /** Aborts when the session ends by itself, but not when its attempt is cancelled or out of time. */
  readonly stopped: AbortSignal
  /** The failure that ended the attempt at once, such as a search service that is down; null when there was none. */
  fatal(): unknown
  /** Ends the attempt by a failure. The first one counts. */
  fail(reason: unknown): void
  /** Ends the attempt without a failure. */
  stop(reason: Error): void
}

/** Opens the end of an attempt that also ends with a signal. */
export function openSessionEnd(attempt: AbortSignal): SessionEnd {
  const stop = new AbortController()
  const signal = AbortSignal.any([attempt, stop.signal])
  // Every request in progress listens to it.
  setMaxListeners(0, signal)
  let fatal: unknown = null
  return {
    signal,
    stopped: stop.signal,
    fatal: () => fatal,
    fail(reason) {
      fatal ??= reason
      stop.abort(reason)
    },
    stop: reason => stop.abort(reason),
  }
}

/**
 * Requests that bring neither a tool result nor a model's answer: unknown routes, refused calls, MCP handshakes. An agent
 * may make this many, and some more for each call that succeeds, before its attempt ends. Each refused call is traced, so
 * this also limits the size of the trace.
 */
const idleRequests = 2_000
const idleRequestsPerCall = 20

/** The failure of an agent that keeps making requests without a result. */
export class RequestFlood extends Error {
  override readonly name = 'RequestFlood'
  /** The budget that refused an earlier call; null when none did. */
  readonly refusedKind: MeteredKind | null

  constructor(refusedKind: MeteredKind | null) {
    super('the agent made thousands of requests that brought no result')
    this.refusedKind = refusedKind
  }
}

/** Counts the requests of an agent. */
export class RequestCount {
  #requests = 0
  #useful = 0

  /** Counts a tool result or a model's answer. */
  addUseful(): void {
    this.#useful += 1
  }

  /** Counts a request. Returns whether the agent has made too many requests without a result. */
  isFlood(): boolean {
    this.#requests += 1
    return this.#requests > idleRequests + this.#useful * (1 + idleRequestsPerCall)
  }
}
