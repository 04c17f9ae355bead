import type { z } from 'zod/v4'
import { ProviderError, ToolError } from '../../src/core/errors.ts'
import {
  isCreditExhausted,
  isTemporaryLimit,
  readRetryAfter as retryAfterOf,
  waitMsInMessage,
} from '../../src/system/service-failures.ts'
import { oneLine } from '../../src/text/plain-text.ts'
import type { WebResponse } from '../web/transport.ts'
import { type ReportedError, readErrorInBody } from './error-in-body.ts'

const decoder = new TextDecoder()

/** How a service reports failures, where this differs from the common way. */
export interface FailureRules {
  /**
   * Returns 'key' or 'credit' when the answer means that, 'settings' when its operator must change its settings,
   * 'retry' after a rate limit and 'outage' when another attempt may succeed, otherwise null.
   */
  readonly verdict?: (
    status: number,
    body: string,
  ) => 'key' | 'credit' | 'settings' | 'retry' | 'outage' | null
  /** What the operator must change after the verdict 'settings'. */
  readonly fix?: string
}

/**
 * Reads the JSON answer of a search service or a page reader with `schema`. An answer with status 200 whose body
 * reports an error is a failure, as if it had the status that the body names or its words mean.
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
  if (response.status < 200 || response.status > 299)
    throw failureOf(service, response, { status: response.status, words: body }, rules)
  const answer = parsedJson(body)
  const error = readErrorInBody(answer)
  if (error !== null) throw failureOf(service, response, error, rules)
  const read = schema.safeParse(answer)
  if (read.success) return read.data
  const fix = rules.fix === undefined ? '' : `. If this persists, ${rules.fix}`
  throw new ProviderError(
    'bad-response',
    `${service} answered ${response.status} without the expected results${shortened(body)}${fix}`,
    { retryable: true, cause: read.error },
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

function failureOf(
  service: string,
  response: WebResponse,
  { status, words }: ReportedError,
  rules: FailureRules,
): Error {
  const said = shortened(words)
  const verdict = rules.verdict?.(status, words) ?? commonVerdict(status, words)
  const isInBody = response.status >= 200 && response.status <= 299
  const failed = isInBody
    ? `${service} answered ${response.status} with an error in its body${said}`
    : `${service} answered ${status}${said}`
  const fatal = { retryable: false, fatalService: service } as const
  const shown = isInBody ? `${response.status} with an error in its body` : status
  if (verdict === 'credit')
    return new ProviderError('auth', `${service} has no credit left (${shown}${said})`, fatal)
  if (verdict === 'key')
    return new ProviderError('auth', `${service} refused the API key (${shown}${said})`, fatal)
  if (verdict === 'settings')
    return new ProviderError('bad-response', `${service} answered ${shown}: ${rules.fix ?? said}`, fatal)
  const retryAfterMs = retryAfter(response.headers) ?? (status === 429 ? waitMsInMessage(words) : null)
  if (verdict === 'retry' || status === 429) {
    return new ProviderError('rate-limited', failed, { retryable: true, retryAfterMs })
  }
  if (verdict === 'outage' || status >= 500 || status === 408) {
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
