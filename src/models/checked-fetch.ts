import { ProviderError } from '../core/errors.ts'
import { providerError, retryAfter } from './provider-errors.ts'

/** Looks at the JSON of a 2xx answer and may mend it in place; throws ProviderError where it is no completion. */
export type AnswerCheck = (body: unknown) => void

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/**
 * Makes fetches for one model server, on one pool of connections. Each follows no redirect, has no time limit but its signal, and throws ProviderError for
 * what is no completion: an HTTP error, HTML or broken JSON with status 200, an error object inside a 200.
 */
export async function createCheckedFetch(name: string): Promise<(check: AnswerCheck) => Fetch> {
  const { Agent, fetch: undiciFetch } = await import('undici')
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } })
  const send = undiciFetch as unknown as (input: unknown, init: unknown) => Promise<Response>
  return check => async (input, init) => {
    const response = await send(input, { ...init, dispatcher, redirect: 'manual' })
    const text = await response.text()
    if (!response.ok) throw failed(name, response, text)
    const body = completionBody(name, response, text)
    check(body)
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
  }
}

function failed(name: string, response: Response, text: string): ProviderError {
  const wait = retryAfter(header => response.headers.get(header))
  const where = response.headers.get('location')
  const hint = response.status === 404 ? ' (is the model there, and does the server URL end in /v1?)' : ''
  const words = where === null ? `${text}${hint}` : `redirects to ${where}; name that URL`
  return providerError(name, { status: response.status, text: plainWords(words), retryAfterMs: wait })
}

function completionBody(name: string, response: Response, text: string): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    const kind = response.headers.get('content-type') ?? 'no content type'
    throw new ProviderError(
      'bad-response',
      `${name}: HTTP ${response.status} with ${kind} that is no JSON completion: ${plainWords(text)}`,
      { retryable: false, cause },
    )
  }
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null
  if (error !== null && error !== undefined && error !== '') throw errorInside(name, error)
  return body
}

/** Routers answer 200 and put the upstream's failure, with its status as `code`, into the body. */
function errorInside(name: string, error: unknown): ProviderError {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : Number.NaN
  const status = Number.isInteger(code) && code >= 400 && code < 600 ? code : 400
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  return providerError(name, { status, text, retryAfterMs: null })
}

function plainWords(text: string): string {
  return text
    .replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 2_000)
}
