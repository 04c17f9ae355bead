import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod/v4'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { jsonOrNull } from '../../text/json.ts'

/** A request that the server refuses, with the status to answer. */
export class RefusedRequest extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The header that carries the token of a write. */
const tokenHeader = 'x-tablehunt-token'

/** Returns a random token for one server. */
export function newToken(): string {
  return randomBytes(24).toString('base64url')
}

/**
 * Refuses requests that do not come from the server's own pages.
 *
 * A site whose name resolves to 127.0.0.1 (DNS rebinding) sends its own name as the host. A page of another site sends its
 * origin with every write and every request by script.
 *
 * @throws RefusedRequest
 */
export function requireOwnPage({ headers }: IncomingMessage, port: number): void {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!hosts.includes(headers.host ?? ''))
    throw new RefusedRequest(403, `Open this server as http://127.0.0.1:${port}/.`)
  const { origin } = headers
  if (origin !== undefined && !hosts.some(host => origin === `http://${host}`))
    throw new RefusedRequest(403, 'This server answers only its own pages.')
}

/**
 * Refuses a write without the server's token or without a JSON body.
 *
 * @throws RefusedRequest
 */
export function requireWrite({ headers }: IncomingMessage, token: string): void {
  const sentToken = Buffer.from(String(headers[tokenHeader] ?? ''))
  const serverToken = Buffer.from(token)
  if (sentToken.length !== serverToken.length || !timingSafeEqual(sentToken, serverToken))
    throw new RefusedRequest(
      403,
      'Open the address that `tablehunt view` printed: it allows this browser to write.',
    )
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) throw new RefusedRequest(415, 'Send JSON.')
}

/** Bodies of requests are refused beyond this many bytes. */
export const maxBodyBytes = 64 * 1024

/**
 * Reads the body of a request as JSON.
 *
 * @throws RefusedRequest when it is too large or does not fit
 */
export async function readBody<T>(request: AsyncIterable<Buffer>, schema: z.ZodType<T>): Promise<T> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > maxBodyBytes) throw new RefusedRequest(413, `Send at most ${maxBodyBytes} bytes.`)
    chunks.push(chunk)
  }
  const body = schema.safeParse(jsonOrNull(Buffer.concat(chunks).toString('utf8')))
  if (!body.success) throw new RefusedRequest(400, describeZodProblem(body.error, 'the body'))
  return body.data
}
