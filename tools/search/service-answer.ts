import { z } from 'zod/v4'
import { ProviderError, ToolError } from '../../src/core/errors.ts'
import {
  isCreditExhausted,
  isTemporaryLimit,
  readRetryAfter as retryAfterOf,
  waitMsInMessage,
} from '../../src/system/service-failures.ts'
import { oneLine } from '../../src/text/plain-text.ts'
import type { WebResponse } from '../web/transport.ts'

const decoder = new TextDecoder()

/** How a service reports failures, where this differs from the common way. */
export interface FailureRules {
  /**
   * Returns 'key' or 'credit' when the answer means that, 'retry' when another attempt may succeed, otherwise null.
   */
  readonly verdict?: (status: number, body: string) => 'key' | 'credit' | 'retry' | null
}

/**
 * Reads the JSON answer of a search service with `schema`.
 *
 * @throws ProviderError `auth`, never retried, for a refused key or missing credit (402, or reported in the body of
 * a 400, 401, 403 or 429); `rate-limited` for 429; `unavailable` for 5xx and 408; `bad-response` for an answer of
 * another shape
 * @throws ToolError `bad-input` for a request that the service rejects
 */
export function readServiceAnswer<T>(
  service: string,
  response: WebResponse,
  schema: z.ZodType<T>,
  rules: FailureRules = {},
): T {
  const body = decoder.decode(response.body)
  if (response.status < 200 || response.status > 299) throw failureOf(service, response, body, rules)
  const read = schema.safeParse(parsedJson(body))
  if (read.success) return read.data
  throw new ProviderError('bad-response', `${service} answered with something that is no search result`, {
    retryable: true,
    cause: read.error,
  })
}

/**
 * A list schema that drops invalid items, so that one invalid hit does not lose the others. A missing list is
 * empty.
 */
export function tolerantList<T extends z.ZodType>(item: T) {
  return z
    .array(z.unknown())
    .nullish()
    .transform(items =>
      (items ?? []).flatMap(raw => {
        const read = item.safeParse(raw)
        return read.success ? [read.data as z.output<T>] : []
      }),
    )
}

/** Returns undefined when the body is not JSON. No JSON text yields undefined, and no schema accepts it. */
function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function failureOf(service: string, response: WebResponse, body: string, rules: FailureRules): Error {
  const { status } = response
  const said = shortened(body)
  const verdict = rules.verdict?.(status, body) ?? commonVerdict(status, body)
  const failed = `${service} answered ${status}${said}`
  if (verdict === 'credit') {
    return new ProviderError('auth', `${service} has no credit left (${status}${said})`, {
      retryable: false,
      fatalService: service,
    })
  }
  if (verdict === 'key') {
    return new ProviderError('auth', `${service} refused the API key (${status}${said})`, {
      retryable: false,
      fatalService: service,
    })
  }
  const retryAfterMs = retryAfter(response.headers) ?? (status === 429 ? waitMsInMessage(body) : null)
  if (verdict === 'retry' || status === 429) {
    return new ProviderError('rate-limited', failed, { retryable: true, retryAfterMs })
  }
  if (status >= 500 || status === 408) {
    return new ProviderError('unavailable', failed, { retryable: true, retryAfterMs })
  }
  if (status === 400 || status === 422) return new ToolError('bad-input', failed)
  const redirect = status >= 300 && status < 400 ? ': a search service’s redirects are not followed' : ''
  return new ProviderError('bad-response', `${failed}${redirect}`, { retryable: false })
}

/**
 * Reads words about credit only in failures with some statuses: a failure may repeat the query, and the query may
 * mention credit.
 */
function commonVerdict(status: number, body: string): 'key' | 'credit' | null {
  if (status === 402 || (status === 400 && isCreditExhausted(body))) return 'credit'
  const isRefused = status === 401 || status === 403
  const speaksOfCredit = (isRefused || status === 429) && /credit|quota/i.test(body)
  // Almost every service also calls its limit per minute a quota.
  if (speaksOfCredit && !(status === 429 && isTemporaryLimit(body))) return 'credit'
  return isRefused ? 'key' : null
}

function shortened(body: string): string {
  const line = oneLine(body).slice(0, 200)
  return line === '' ? '' : `: ${line}`
}

/**
 * Returns the wait that the headers request, in milliseconds. It uses no clock, so that a replay waits as long as
 * the recorded run did.
 */
export function retryAfter(headers: Readonly<Record<string, string>>): number | null {
  return retryAfterOf(name => headers[name] ?? null, null)
}
