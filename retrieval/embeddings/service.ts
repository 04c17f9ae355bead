import type { z } from 'zod/v4'
import { ProviderError, type ProviderReason } from '../../src/core/errors.ts'
import type { Clock } from '../../src/core/runtime.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { defaultRetry, withRetry } from '../../src/system/retry.ts'
import {
  isCreditExhausted,
  isServerMissing,
  isTemporaryLimit,
  readRetryAfter,
  waitMsInMessage,
} from '../../src/system/service-failures.ts'
import { isObject, parseJsonOrNull } from '../../src/text/json.ts'
import { makeWellFormed } from '../../src/text/plain-text.ts'

/** A JSON service that the user configured: an embedding or a reranking endpoint. */
export interface JsonService {
  /** The name in messages, such as `openai:bge-m3`. */
  readonly name: string
  readonly url: string
  /** Sent as a bearer token; null when the service needs no key. Never part of a message. */
  readonly key: string | null
  readonly clock: Clock
}

const requestTimeoutMs = 120_000

/**
 * Posts a body and returns the answer, parsed with the schema. Retries after 429, 5xx and network failures. Redirects
 * are not followed.
 *
 * @throws ProviderError with the reason `auth`, `rate-limited`, `unavailable`, `timeout` or `bad-response`
 */
export async function postJson<S extends z.ZodType>(
  service: JsonService,
  body: unknown,
  schema: S,
  signal: AbortSignal,
): Promise<z.infer<S>> {
  return await withRetry(async () => await postOnce(service, body, schema, signal), {
    ...defaultRetry,
    clock: service.clock,
    signal,
  })
}

async function postOnce<S extends z.ZodType>(
  service: JsonService,
  body: unknown,
  schema: S,
  signal: AbortSignal,
): Promise<z.infer<S>> {
  const response = await send(service, wellFormedJson(body), signal)
  const text = await response.text().catch(error => reportNetwork(service, error, signal))
  if (!response.ok) throw createStatusError(service, response, { status: response.status, text })
  const answer = parseJsonOrNull(text)
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  const status = statusInBody(answer, text)
  if (status !== null) throw createStatusError(service, response, { status, text })
  const what = describeZodProblem(parsed.error, 'it')
  throw new ProviderError('bad-response', `${service.name}: the answer does not fit (${what})`, {
    retryable: false,
  })
}

async function send(service: JsonService, body: string, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (service.key !== null) headers.authorization = `Bearer ${service.key}`
  const limited = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)])
  try {
    return await fetch(service.url, { method: 'POST', headers, body, signal: limited, redirect: 'manual' })
  } catch (error) {
    return reportNetwork(service, error, signal)
  }
}

/** Replaces lone surrogates, which documents may contain and JSON services reject. */
function wellFormedJson(body: unknown): string {
  return JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'string' ? makeWellFormed(value) : value,
  )
}

function reportNetwork(service: JsonService, error: unknown, signal: AbortSignal): never {
  signal.throwIfAborted()
  const timedOut = error instanceof Error && error.name === 'TimeoutError'
  const message = timedOut
    ? `${service.name} did not answer within ${requestTimeoutMs / 1000} s`
    : `${service.name} cannot be reached: is the server running?`
  const cause = error instanceof Error ? String(error.cause) : ''
  throw new ProviderError(timedOut ? 'timeout' : 'unavailable', message, {
    retryable: true,
    fatalService: isServerMissing(cause) ? service.name : null,
    cause: error,
  })
}

/** Returns the status that an error inside the body of a 200 names or means; null when the body contains no error. */
function statusInBody(body: unknown, text: string): number | null {
  if (!isObject(body)) return null
  const error = body.error ?? body.detail ?? (body.data === undefined ? body.message : null) ?? null
  if (error === null || error === '') return null
  const statuses = [error, body].map(part => (isObject(part) ? Number(part.code ?? part.status) : Number.NaN))
  const named = statuses.find(status => Number.isInteger(status) && status >= 400 && status <= 599)
  if (named !== undefined) return named
  if (isCreditExhausted(text)) return 402
  return isTemporaryLimit(text) ? 429 : 500
}

function createStatusError(
  service: JsonService,
  response: Response,
  { status, text }: { readonly status: number; readonly text: string },
): ProviderError {
  const [reason, what] = describeStatus(status, text)
  const retryable = reason === 'rate-limited' || reason === 'unavailable'
  const detail = removeKey(text, service.key).replace(/\s+/g, ' ').slice(0, 200)
  const kind = reason === 'bad-response' && isRefusal(status, text) ? RequestRefused : ProviderError
  return new kind(reason, `${service.name}: ${what} (HTTP ${status}${detail === '' ? '' : `: ${detail}`})`, {
    retryable,
    fatalService: reason === 'auth' || status === 404 ? service.name : null,
    retryAfterMs:
      readRetryAfter(name => response.headers.get(name), Date.now()) ??
      (retryable ? waitMsInMessage(text) : null),
  })
}

/** A service refused a request that may have been too large for it. Parts of the request may succeed. */
export class RequestRefused extends ProviderError {}

const refusalStatuses = new Set([400, 413, 422])
/** What servers with other statuses say about a request that is too large, such as llama.cpp. */
const tooLarge = /too (?:large|long|many)|batch.?size|maximum (?:context|allowed|number)|exceeds/i

function isRefusal(status: number, text: string): boolean {
  return refusalStatuses.has(status) || (status >= 500 && tooLarge.test(text))
}

/** Statuses for which words about credit count. Other failures may only repeat a text about credit. */
const creditStatuses = new Set([400, 403, 412, 429])

function describeStatus(status: number, text: string): [ProviderReason, string] {
  if (status === 402 || (creditStatuses.has(status) && isCreditExhausted(text))) {
    return ['auth', 'no credit is left on the account']
  }
  if (status === 401 || status === 403) return ['auth', 'the key was refused']
  if (status === 429) return ['rate-limited', 'too many requests']
  if (isRefusal(status, text)) return ['bad-response', 'the request was refused']
  if (status >= 500 || status === 408) return ['unavailable', 'the service failed']
  return ['bad-response', 'the request was refused']
}

function removeKey(text: string, key: string | null): string {
  return key === null || key === '' ? text : text.replaceAll(key, '***')
}

/** Joins a base URL, with or without trailing slashes, and a path. */
export function joinUrl(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}${path}`
}
