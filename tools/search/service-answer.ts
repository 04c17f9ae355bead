import type { z } from 'zod/v4'
import { ProviderError, ToolError } from '../../src/core/errors.ts'
import {
  isCreditExhausted,
  isTemporaryLimit,
  readRetryAfter as retryAfterOf,
  waitMsInMessage,
} from '../../src/system/service-failures.ts'
import { isObject, parseJsonOrNull } from '../../src/text/json.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'
import type { WebResponse } from '../web/transport.ts'

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
    throw createServiceFailure(service, response, { status: response.status, words: body }, rules)
  const answer = parseJsonOrNull(body)
  const error = readErrorInBody(answer)
  if (error !== null) throw createServiceFailure(service, response, error, rules)
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  const fix = rules.fix === undefined ? '' : `. If this persists, ${rules.fix}`
  throw new ProviderError(
    'bad-response',
    `${service} answered ${response.status} without the expected results${shortenDetail(body)}${fix}`,
    { retryable: true, cause: parsed.error },
  )
}

function createServiceFailure(
  service: string,
  response: WebResponse,
  { status, words }: ReportedError,
  rules: FailureRules,
): Error {
  const detail = shortenDetail(words)
  const verdict = rules.verdict?.(status, words) ?? judgeByStatus(status, words)
  const isInBody = response.status >= 200 && response.status <= 299
  const failed = isInBody
    ? `${service} answered ${response.status} with an error in its body${detail}`
    : `${service} answered ${status}${detail}`
  const fatal = { retryable: false, fatalService: service } as const
  const shown = isInBody ? `${response.status} with an error in its body` : status
  if (verdict === 'credit')
    return new ProviderError('auth', `${service} has no credit left (${shown}${detail})`, fatal)
  if (verdict === 'key')
    return new ProviderError('auth', `${service} refused the API key (${shown}${detail})`, fatal)
  if (verdict === 'settings')
    return new ProviderError('bad-response', `${service} answered ${shown}: ${rules.fix ?? detail}`, fatal)
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
function judgeByStatus(status: number, body: string): 'key' | 'credit' | null {
  if (status === 402 || (status === 400 && isCreditExhausted(body))) return 'credit'
  const isRefused = status === 401 || status === 403
  const speaksOfCredit = (isRefused || status === 429) && /credit|quota/i.test(body)
  // Almost every service also calls its limit per minute a quota.
  if (speaksOfCredit && !(status === 429 && isTemporaryLimit(body))) return 'credit'
  return isRefused ? 'key' : null
}

function shortenDetail(body: string): string {
  const line = joinToOneLine(body).slice(0, 200)
  return line === '' ? '' : `: ${line}`
}

/**
 * Returns the wait that the headers request, in milliseconds. It uses no clock, so that a replay waits as long as
 * the recorded run did.
 */
export function retryAfter(headers: Readonly<Record<string, string>>): number | null {
  return retryAfterOf(name => headers[name] ?? null, null)
}

/** An error as a service reports it. */
interface ReportedError {
  /** The HTTP status, or for an error in the body of a 200 the status that it names or means. */
  readonly status: number
  /** The text of the error. */
  readonly words: string
}

/** Fields that contain a status. */
const statusFields = ['statusCode', 'status_code', 'code', 'status', 'http_status']

/** Fields that contain an error. An answer without an error leaves them out, or they are empty. */
const errorFields = [
  ...['error', 'errors', 'error_message', 'errorMessage', 'error_description', 'fault', 'exception'],
  ...['message', 'msg', 'detail', 'details', 'readableMessage', 'reason', 'Message', 'Error'],
]

/** Fields that contain an error only when their words say so. */
const noteFields = ['warning', 'warnings', 'info', 'notice', 'note', 'notes', 'failed_results']

/** Words in such a field that report success, or a search without results. */
const success =
  /^\s*(?:ok(?:ay)?|success(?:ful(?:ly)?)?|done|completed?|none|null|false|0)[.!]?\s*$|\bsuccessfully\b/i
const withoutResults = /\b(?:no|0|zero|any) (?:\w+ )?(?:results?|matches|hits|documents)\b/i
const failure = /fail|error|timed?[ -]?out|limit|denied|unavailable|unable|quota|blocked|could not|cannot/i

/** What the words of an error mean, as an HTTP status. The first that matches counts. */
const meanings: readonly (readonly [(words: string) => boolean, number])[] = [
  [isCreditExhausted, 402],
  [
    words => /(?:un|not )authori[sz]ed|unauthenticated|forbidden|api[ _-]?key|access denied/i.test(words),
    401,
  ],
  [words => isTemporaryLimit(words) || /too many requests/i.test(words), 429],
  [
    words =>
      /\b(?:query|parameter|argument|field|request|input|validation|page)\b.{0,40}\b(?:too long|too short|invalid|required|missing|empty|not (?:valid|supported|allowed)|exceeds?)\b|\b(?:invalid|missing|unsupported|bad) (?:\w+ )?(?:query|parameters?|arguments?|request|input)\b/i.test(
        words,
      ),
    400,
  ],
]

/**
 * Returns the error in the body of an answer with status 200, otherwise null. Services report it as `{"message": …}`,
 * `{"error": {…}}`, `{"statusCode": 500}`, `{"success": false}` and the like. A message beside results is no error.
 */
function readErrorInBody(answer: unknown): ReportedError | null {
  if (!isObject(answer) || hasResults(answer)) return null
  const errors = [
    ...errorFields.filter(name => isError(answer[name])),
    ...noteFields.filter(name => failure.test(JSON.stringify(answer[name] ?? ''))),
  ].map(name => answer[name])
  const named = [answer, ...errors].map(readStatus).find(status => status !== null)
  if (errors.length === 0 && named === undefined && !saysFailed(answer)) return null
  const words = errors.length === 0 ? JSON.stringify(answer) : errors.map(writeAsText).join('; ')
  const meant = meanings.find(([isMeant]) => isMeant(words))?.[1]
  return { status: named ?? meant ?? 500, words }
}

/** Whether a field of the answer, or of an object in it, is a list of results. */
function hasResults(answer: Readonly<Record<string, unknown>>): boolean {
  const fields = Object.entries(answer).filter(
    ([name]) => !errorFields.includes(name) && !noteFields.includes(name),
  )
  const values = fields.flatMap(([, value]) => (isObject(value) ? Object.values(value) : [value]))
  return values.some(value => Array.isArray(value) && value.some(isObject))
}

function isSuccess(words: string): boolean {
  if (words.trim() === '' || success.test(words)) return true
  return withoutResults.test(words) && !failure.test(words)
}

function isError(value: unknown): boolean {
  if (typeof value === 'string') return !isSuccess(value)
  if (Array.isArray(value)) return value.length > 0
  return value === true || (isObject(value) && Object.keys(value).length > 0)
}

function readStatus(value: unknown): number | null {
  if (!isObject(value)) return null
  const statuses = statusFields.map(name => Number(value[name]))
  return statuses.find(status => Number.isInteger(status) && status >= 400 && status <= 599) ?? null
}

function saysFailed(answer: Readonly<Record<string, unknown>>): boolean {
  const isFalse = answer.success === false || answer.ok === false
  return isFalse || [answer.status, answer.type].some(word => /^(?:error|fail)/i.test(String(word)))
}

function writeAsText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
