import { ProviderError } from '../core/errors.ts'
import { jsonOrNull } from '../core/json-or-null.ts'
import { isFailure, refusedCall } from './failure-body.ts'
import { errorInside } from './openai-answer.ts'
import { providerError, retryAfter } from './provider-errors.ts'
import { completionOfStream } from './streamed-completion.ts'

/** Looks at the JSON of a 2xx answer and may mend it in place; throws ProviderError where it is no completion. */
export type AnswerCheck = (body: unknown) => void

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/**
 * Makes fetches for one model server, on one pool of connections. Each follows no redirect, has no time limit but its
 * signal, takes an answer that was streamed all the same, and throws ProviderError for what is no completion: an HTTP
 * error, HTML or broken JSON with status 200, an error object inside a 200, a body without end.
 */
export async function createCheckedFetch(name: string): Promise<(check: AnswerCheck) => Fetch> {
  const { Agent, fetch: undiciFetch } = await import('undici')
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } })
  const send = undiciFetch as unknown as (input: unknown, init: unknown) => Promise<Response>
  return check => async (input, init) => {
    const response = await send(input, { ...init, dispatcher, redirect: 'manual' })
    const text = await boundedText(name, response)
    const body = response.ok ? completionBody(name, response, text) : callRefused(jsonOrNull(text))
    if (body === null) throw failed(name, response, text)
    check(body)
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
  }
}

function failed(name: string, response: Response, text: string): ProviderError {
  const wait = retryAfter(header => response.headers.get(header))
  const where = response.headers.get('location')
  return providerError(name, {
    status: response.status,
    text: where === null ? plainText(text) : `redirects to ${where}; name that URL`,
    hint: response.status === 404 ? 'is the model there, and does the server URL end in /v1?' : null,
    retryAfterMs: wait,
  })
}

/**
 * The answer that a server refused itself since its model had written a call that nobody could read; null where it is
 * another failure. The agent is told, as it is where a server hands such a call on.
 */
function callRefused(error: unknown): unknown {
  const said = refusedCall(error)
  if (said === null) return null
  const call = { id: '', type: 'function', function: { name: '', arguments: said } }
  return { choices: [{ index: 0, finish_reason: 'tool_calls', message: { tool_calls: [call] } }] }
}

function completionBody(name: string, response: Response, text: string): unknown {
  const body = parsedBody(name, response, text)
  if (typeof body !== 'object' || body === null) return body
  const fields = body as Record<string, unknown>
  const error = fields.object === 'error' ? fields : fields.error
  if (isFailure(error)) {
    const refused = callRefused(error)
    if (refused === null) throw errorInside(name, error)
    return refused
  }
  return body
}

function parsedBody(name: string, response: Response, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const streamed = completionOfStream(text)
    if (streamed !== null) return streamed
    const kind = response.headers.get('content-type') ?? 'no content type'
    throw new ProviderError(
      'bad-response',
      `${name}: HTTP ${response.status} with ${kind} that is no JSON completion: ${plainWords(text)}`,
      { retryable: false, cause },
    )
  }
}

const mostBytes = 32_000_000

/** The body as text; a server that never stops sending is cut off. */
async function boundedText(name: string, response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength
    if (size > mostBytes) {
      throw new ProviderError('bad-response', `${name}: an answer of more than ${mostBytes} bytes`, {
        retryable: false,
      })
    }
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

/** JSON as it is; a page for people without its marks. */
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
