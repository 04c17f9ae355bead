import { ProviderError } from '../core/errors.ts'
import { jsonOrNull } from '../text/json.ts'
import { isErrorValue, rejectedCallWords } from './failure-body.ts'
import { embeddedError } from './openai-answer.ts'
import { providerError, retryAfterMs } from './provider-errors.ts'
import { completionOfStream } from './streamed-completion.ts'

/** Checks the JSON of a 2xx answer and may repair it in place. Throws ProviderError when it is not a completion. */
export type AnswerCheck = (body: unknown) => void

/** The type of the global `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/**
 * Creates `fetch` functions for one model server, which share one pool of connections. They do not follow redirects,
 * have no time limit besides the signal, and accept an answer that the server streamed without being asked.
 *
 * @param name the record name of the model, for messages
 * @returns a function that creates a `fetch`. It throws ProviderError for an HTTP error, for HTML or invalid
 * JSON with status 200, for an error object inside a 200, and for a body that is too large.
 */
export async function createCheckedFetch(name: string): Promise<(check: AnswerCheck) => Fetch> {
  const { Agent, fetch: undiciFetch } = await import('undici')
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } })
  const send = undiciFetch as unknown as (input: unknown, init: unknown) => Promise<Response>
  return check => async (input, init) => {
    const response = await send(input, { ...init, dispatcher, redirect: 'manual' })
    const text = await boundedText(name, response)
    const body = response.ok ? completionBody(name, response, text) : rejectedCallAnswer(jsonOrNull(text))
    if (body === null) throw httpError(name, response, text)
    check(body)
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
  }
}

/** Returns the error of an answer with a status of failure. */
export async function httpErrorOf(name: string, response: Response): Promise<ProviderError> {
  return httpError(name, response, await boundedText(name, response))
}

function httpError(name: string, response: Response, text: string): ProviderError {
  const target = response.headers.get('location')
  return providerError(name, {
    status: response.status,
    text: target === null ? plainText(text) : `redirects to ${target}; name that URL`,
    hint: response.status === 404 ? 'is the model there, and does the server URL end in /v1?' : null,
    retryAfterMs: retryAfterMs(header => response.headers.get(header)),
  })
}

/**
 * Returns an answer with an invalid tool call when a server rejected its own model's unreadable call. The agent then
 * sees the problem, as with servers that pass such a call on. Returns null for any other failure.
 */
function rejectedCallAnswer(error: unknown): unknown {
  const words = rejectedCallWords(error)
  if (words === null) return null
  const call = { id: '', type: 'function', function: { name: '', arguments: words } }
  return { choices: [{ index: 0, finish_reason: 'tool_calls', message: { tool_calls: [call] } }] }
}

function completionBody(name: string, response: Response, text: string): unknown {
  const body = parsedBody(name, response, text)
  if (typeof body !== 'object' || body === null) return body
  const fields = body as Record<string, unknown>
  const error = fields.object === 'error' ? fields : fields.error
  if (isErrorValue(error)) {
    const answer = rejectedCallAnswer(error)
    if (answer === null) throw embeddedError(name, error)
    return answer
  }
  return body
}

function parsedBody(name: string, response: Response, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const streamed = completionOfStream(text)
    if (streamed !== null) return streamed
    const contentType = response.headers.get('content-type') ?? 'no content type'
    throw new ProviderError(
      'bad-response',
      `${name}: HTTP ${response.status} with ${contentType} that is not a JSON completion: ${plainWords(text)}`,
      { retryable: false, cause },
    )
  }
}

const maxBytes = 32_000_000

/**
 * Returns the body as text.
 *
 * @throws ProviderError `bad-response` when the server sends more than `maxBytes`
 */
async function boundedText(name: string, response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of boundedBody(name, (response.body ?? []) as AsyncIterable<Uint8Array>))
    text += decoder.decode(part, { stream: true })
  return text + decoder.decode()
}

/**
 * Returns the body as it arrives.
 *
 * @throws ProviderError `bad-response` when the server sends more than `maxBytes`
 */
export async function* boundedBody(
  name: string,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const part of body) {
    size += part.byteLength
    if (size > maxBytes) {
      throw new ProviderError('bad-response', `${name}: the answer is larger than ${maxBytes} bytes`, {
        retryable: false,
      })
    }
    yield part
  }
}

/** Returns JSON unchanged, and a web page without its markup. */
function plainText(text: string): string {
  return jsonOrNull(text) === null ? plainWords(text) : text
}

function plainWords(text: string): string {
  return text
    .replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 2_000)
}
