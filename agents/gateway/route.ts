import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GatewaySession } from './session.ts'

/** A request to the gateway. Its path is without the secret part. */
export interface GatewayRequest {
  readonly method: string
  /** Such as `/v1/chat/completions`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly incoming: IncomingMessage
  readonly response: ServerResponse
  /** Reads the whole body, at most `mostBodyBytes`. */
  body(): Promise<string>
}

/** One part of the gateway, such as the model endpoints or MCP. */
export interface GatewayRoute {
  /** The environment variables with the addresses of the route. `base` is the gateway's address. */
  variables(base: string): Readonly<Record<string, string>>
  /** Whether the route answers a path. */
  matches(method: string, path: string): boolean
  answer(request: GatewayRequest, session: GatewaySession): Promise<void>
}

/** Sends a JSON body. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
