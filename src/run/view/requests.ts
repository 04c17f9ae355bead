import type { IncomingMessage } from 'node:http'
import type { z } from 'zod/v4'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { readBodyWithin } from '../../system/listen.ts'
import { parseJsonOrNull } from '../../text/json.ts'

/** A request that the server refuses, with the status to answer. */
export class RefusedRequest extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Whether a text is the token of the server (src/system/secret-check.ts). */
type IsToken = (text: string) => boolean

/** The header that carries the token. */
const tokenHeader = 'x-tablehunt-token'

/**
 * Reads the address of a request.
 *
 * @throws RefusedRequest when it is no path of this server, such as `//` or an address of another host
 */
export function readPath({ url = '' }: IncomingMessage): URL {
  const base = 'http://127.0.0.1'
  const isPath = url.startsWith('/') && !/^[/\\]{2}/.test(url) && URL.canParse(url, base)
  if (!isPath) throw new RefusedRequest(400, 'This is no address of a page.')
  return new URL(url, base)
}

/**
 * Refuses requests that do not come from the server's own pages, or from the person who has its address.
 *
 * A site whose name resolves to 127.0.0.1 (DNS rebinding) sends its own name as the host. A page of another site, or of
 * another port of this machine, sends its origin with every write and every request by script, and browsers mark all of its
 * requests in Sec-Fetch-Site. A program that sends no such mark needs the token.
 *
 * @throws RefusedRequest
 */
export function requireOwnPage(
  { headers, rawHeaders }: IncomingMessage,
  { port, isToken, url }: { readonly port: number; readonly isToken: IsToken; readonly url: URL },
): void {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const isNamedOnce = rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length === 1
  if (!isNamedOnce || !hosts.includes(headers.host ?? ''))
    throw new RefusedRequest(403, `Open this server as http://127.0.0.1:${port}/.`)
  const { origin } = headers
  if (origin !== undefined && !hosts.some(host => origin === `http://${host}`))
    throw new RefusedRequest(403, 'This server answers only its own pages.')
  const isOwnPage = ['same-origin', 'none'].includes(String(headers['sec-fetch-site']))
  const sentToken = url.searchParams.get('token') ?? String(headers[tokenHeader] ?? '')
  if (!isOwnPage && !isToken(sentToken))
    throw new RefusedRequest(403, 'Open the address that `tablehunt view` printed, which contains a token.')
}

/**
 * Refuses a write without the server's token or without a JSON body.
 *
 * @throws RefusedRequest
 */
export function requireWrite({ headers }: IncomingMessage, isToken: IsToken): void {
  if (!isToken(String(headers[tokenHeader] ?? '')))
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
  const text = await readBodyWithin(request, maxBodyBytes)
  if (text === null) throw new RefusedRequest(413, `Send at most ${maxBodyBytes} bytes.`)
  const body = schema.safeParse(parseJsonOrNull(text))
  if (!body.success) throw new RefusedRequest(400, describeZodProblem(body.error, 'the body'))
  return body.data
}
