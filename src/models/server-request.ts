import { pipeline, type Readable, type Transform } from 'node:stream'
import zlib from 'node:zlib'
import { ProviderError } from '../core/errors.ts'
import { parseJsonOrNull } from '../text/json.ts'
import { providerError, retryAfterMs } from './provider-errors.ts'

/** Sends one request. */
export type SendRequest = typeof import('undici').request

/** The status, headers and body of an answer. */
export type ServerAnswer = Awaited<ReturnType<SendRequest>>

/**
 * Creates a client with a pool of connections of its own, which follows no redirects, has no time limit and decompresses
 * bodies: some gateways compress them without being asked.
 */
export async function createSender(): Promise<SendRequest> {
  const { Agent, request } = await import('undici')
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } })
  return (async (url, options) => {
    const answer = await request(url, { ...options, dispatcher })
    return { ...answer, body: decompress(answer) }
  }) as SendRequest
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
}

/** Returns the body without its content encodings. A body in an encoding that is not known is returned as it is. */
function decompress({ headers, body }: ServerAnswer): Readable {
  const encodings = String(headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
  return encodings.reduceRight((bytes: Readable, encoding) => {
    const decoder = decoders[encoding.trim()]?.()
    // A failure of the connection reaches the reader through the decoder.
    return decoder === undefined ? bytes : pipeline(bytes, decoder, () => undefined)
  }, body)
}

/** Creates the error of an answer with a status of failure. */
export function httpError(name: string, { statusCode, headers }: ServerAnswer, text: string): ProviderError {
  const readHeader = (header: string): string | null => headers[header]?.toString() ?? null
  const target = readHeader('location')
  return providerError(name, {
    status: statusCode,
    text: target === null ? plainText(text) : `redirects to ${target}; name that URL`,
    hint: statusCode === 404 ? 'is the model there, and does the server URL end in /v1?' : null,
    retryAfterMs: retryAfterMs(readHeader),
  })
}

const maxBytes = 32_000_000

/**
 * Returns the body as text.
 *
 * @throws ProviderError `bad-response` when the server sends more than `maxBytes`
 */
export async function readBody(name: string, body: AsyncIterable<Uint8Array>): Promise<string> {
  return await decodeBody(boundBody(name, body))
}

/** Returns the bytes of a body as text. */
export async function decodeBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of body) text += decoder.decode(part, { stream: true })
  return text + decoder.decode()
}

/**
 * Returns the body as it arrives.
 *
 * @throws ProviderError `bad-response` when the server sends more than `maxBytes`
 */
export async function* boundBody(name: string, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const part of body) {
    size += part.byteLength
    if (size > maxBytes)
      throw new ProviderError('bad-response', `${name}: the answer is larger than ${maxBytes} bytes`, {
        retryable: false,
      })
    yield part
  }
}

/** Returns JSON unchanged, and a web page without its markup. */
function plainText(text: string): string {
  return parseJsonOrNull(text) === null ? withoutMarkup(text) : text
}

/** Returns the beginning of a page's text on one line. */
export function withoutMarkup(text: string): string {
  return text
    .replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 2_000)
}
