import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

import type { AgentRequest, Dialect, JsonObject } from '../../src/models/dialects/dialect.ts'
import type { GatewaySession } from './session.ts'

/** A request of an agent that is not yet answered. */
export interface ModelRequest {
  readonly dialect: Dialect
  readonly body: JsonObject
  /** For forms whose URL is a part of the request. */
  readonly path: string
  readonly agentRequest: AgentRequest
  /** Headers of the agent that change the meaning of its request. */
  readonly headers: Readonly<Record<string, string>>
  readonly session: GatewaySession
  readonly sink: AnswerSink
  /** Aborts when the agent hangs up or the attempt ends. */
  readonly signal: AbortSignal
}

/** Writes a streamed answer to an agent no faster than the agent reads it. */
export class AnswerSink {
  readonly #response: ServerResponse
  readonly #signal: AbortSignal

  constructor(response: ServerResponse, signal: AbortSignal) {
    this.#response = response
    this.#signal = signal
  }

  /** Whether the agent may have read a part of the answer. */
  get isBegun(): boolean {
    return this.#response.headersSent
  }

  /** Writes a part of a `text/event-stream` body, and waits while the agent's buffer is full. */
  async event(text: string): Promise<void> {
    this.#signal.throwIfAborted()
    if (text === '') return
    if (!this.isBegun)
      this.#response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      })
    if (!this.#response.write(text)) await once(this.#response, 'drain', { signal: this.#signal })
  }

  /** Sends a plain answer. */
  json(body: unknown): void {
    this.#response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  /** Ends a streamed answer. */
  end(): void {
    this.#response.end()
  }
}
