import type { AIMessage } from '@langchain/core/messages'
import { ProviderError, type ProviderReason } from '../core/errors.ts'
import {
  isCreditExhausted,
  isPageLimit,
  isServerMissing,
  readRetryAfter,
  waitMsInMessage,
} from '../system/service-failures.ts'
import { isObject } from '../text/json.ts'
import { clipText, joinToOneLine } from '../text/plain-text.ts'
import { saysTooLong } from './context-refusals.ts'
import { failureWords } from './failure-body.ts'

/** What is known about a failed request, for any client. */
interface FailureFacts {
  /** The HTTP status; 200 for a failure inside an answer that names no other status. Null when no answer arrived. */
  readonly status: number | null
  /** The body of the answer, or all words of an error. */
  readonly text: string
  /** The wait in the Retry-After headers; null when they name none. */
  readonly retryAfterMs: number | null
  /** The answer that was broken off, if one arrived. */
  readonly answer?: AIMessage | null
  /** What the user should check, if anything. */
  readonly hint?: string | null
}

const filterWords =
  /content[_ ]?(?:filter|policy|management|exists risk)|responsibleai|safety (?:system|settings)|safety_check|flagged as potentially|input was flagged|moderation|violates (?:our )?usage (?:guidelines|polic)|data_inspection_failed|inappropriate content|sensitive[_ ]?(?:content|words?|information)|new_sensitive|敏感|内容安全|违规/i
const keyWords =
  /api[_ -]?(?:secret[_ ])?key|unauthori[sz]ed|authentication|invalid token|permission|login fail/i
const regionWords = /(?:location|country|region)[^.]{0,20} not supported/i
const rateWords =
  /throttl(?:ing|ed)|too many requests|per min(?:ute)?\b|rate[_ -]limit(?:s|ed|ing)?\b|rate_limit_|\bq(?:ps|pm)\b|slow down|concurren(?:t|cy)[^.]{0,40}(?:limit|exceed)|(?:limit|exceed)[^.]{0,40}concurren(?:t|cy)|速率限制|请求频率|过于频繁|限流/i
// A single request exceeds the limit of a whole minute, so waiting does not help.
const tooLargeForLimit = /request too large/i
const brokenWords =
  /overloaded|internal[_ ](?:server[_ ])?error|server[_ ]error|service unavailable|bad gateway|gateway time-?out|has crashed|unexpected eof|\bupstream\b|disconnect|connection (?:reset|refused|terminat|closed)|temporarily|try again later|稍后/i
/** What servers say with any status while their model is not ready. */
const notReady = /model is (?:still |currently )?loading|loading (?:the )?model|try again later/i
const unreachable =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_SOCKET|other side closed|socket hang up|fetch failed|connection error|terminated|premature close/i
const timedOut = /ETIMEDOUT|UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT|timed? ?out|timeout/i

const modelWords =
  /\bmodel\b.{0,120}?\b(?:not found|not exist|unknown|not a valid|not supported|unavailable)|(?:unknown|invalid|unsupported|no such) model\b|model_not_found|not a valid model|模型.{0,40}不存在/i

type FailureVerdict = readonly [reason: ProviderReason, retryable: boolean]

/**
 * Decides the reason of a failure and whether a retry can succeed. The words count more than the status, because
 * services use 400, 403, 413, 429 and 500 for lack of credit, and 200 for any failure.
 */
export function judgeFailure({ status, text }: FailureFacts): FailureVerdict {
  const words = failureWords(text)
  if (status === null) {
    if (timedOut.test(words)) return ['timeout', true]
    if (unreachable.test(words)) return ['unavailable', true]
    return ['bad-response', false]
  }
  if (status === 401 || status === 402 || isCreditExhausted(words)) return ['auth', false]
  if (status === 429 || status === 413) return judgeLimit(status, words)
  const byWords = judgeWords(status, words)
  if (byWords !== null) return byWords
  if (status === 403) return ['auth', false]
  if (status === 408 || status === 504 || status === 524) return ['timeout', true]
  // Groq uses 498 when it has no capacity.
  if (status >= 500 || status === 409 || status === 425 || status === 498) return ['unavailable', true]
  return ['bad-response', false]
}

/** Judges a rate limit or a request that is too large. A body too large for a proxy does not exceed the model's window. */
function judgeLimit(status: 413 | 429, words: string): FailureVerdict {
  const limited = status === 429 || rateWords.test(words)
  if (limited) return ['rate-limited', !tooLargeForLimit.test(words)]
  return [saysTooLong(words) ? 'context-window' : 'bad-response', false]
}

/** Statuses whose meaning depends on the words. 200 stands for a failure inside an answer without another status. */
const ambiguousStatuses = new Set([200, 400, 403, 422, 500])

function judgeWords(status: number, words: string): FailureVerdict | null {
  if (!ambiguousStatuses.has(status)) return null
  if (status !== 403 && rateWords.test(words)) return ['rate-limited', true]
  if (status === 400 && isPageLimit(words)) return ['context-window', false]
  if (status !== 403 && saysTooLong(words)) return ['context-window', false]
  if (filterWords.test(words)) return ['content-filter', false]
  const denied = keyWords.test(words) && /invalid|incorrect|not valid|missing|fail/i.test(words)
  if ((status === 200 || status === 400) && (denied || regionWords.test(words))) return ['auth', false]
  if (status !== 200) return notReady.test(words) ? ['unavailable', true] : null
  if (timedOut.test(words)) return ['timeout', true]
  return brokenWords.test(words) ? ['unavailable', true] : null
}

/** Whether only the user can fix a failure: a refused key, an unknown model or address, or a server that is not running. */
export function needsOperator(reason: ProviderReason, { status, text }: FailureFacts): boolean {
  if (reason === 'auth') return true
  const words = failureWords(text)
  if (status === null) return reason === 'unavailable' && isServerMissing(words)
  return reason === 'bad-response' && (status === 404 || (status >= 400 && modelWords.test(words)))
}

/**
 * Creates the error of a failed request.
 *
 * @param name the record name of the model, for the message
 */
export function providerError(name: string, facts: FailureFacts, cause?: unknown): ProviderError {
  const [reason, retryable] = judgeFailure(facts)
  const status = facts.status === null ? '' : `HTTP ${facts.status}: `
  const isBusy = reason === 'rate-limited' || reason === 'unavailable'
  const hint = typeof facts.hint === 'string' ? ` (${facts.hint})` : ''
  return new ProviderError(reason, `${name}: ${status}${shorten(facts.text)}${hint}`, {
    retryable,
    retryAfterMs: facts.retryAfterMs ?? (isBusy ? waitMsInMessage(failureWords(facts.text)) : null),
    answer: facts.answer ?? null,
    status: facts.status,
    fatalService: needsOperator(reason, facts) ? name : null,
    cause,
  })
}

/** Returns the error inside a body with status 200. Its `code` may be another HTTP status. */
export function embeddedError(name: string, error: unknown, answer: AIMessage | null = null): ProviderError {
  const code = isObject(error) ? Number(error.code ?? error.status_code) : Number.NaN
  const status = Number.isInteger(code) && code >= 400 && code < 600 ? code : 200
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  return providerError(name, { status, text, retryAfterMs: null, answer })
}

/**
 * Converts an error of LangChain, an SDK or `fetch` to a ProviderError. A ProviderError in the chain of causes, such as
 * one of our own `fetch`, is returned unchanged.
 */
export function toProviderError(name: string, error: unknown): ProviderError {
  const chain = causes(error)
  for (const link of chain) if (link instanceof ProviderError) return link
  let status: number | null = null
  let waitMs: number | null = null
  const words: string[] = []
  for (const link of chain) {
    status ??= readStatus(link)
    waitMs ??= retryAfterMs(readHeader(link))
    words.push(...listWords(link))
  }
  const text = [...new Set(words)].join('; ')
  return providerError(name, { status, text, retryAfterMs: waitMs }, error)
}

/** Returns the wait that the Retry-After headers name, in milliseconds; null when they name none. */
export function retryAfterMs(header: (name: string) => string | null): number | null {
  return readRetryAfter(header, Date.now())
}

const toolsRefused =
  /(?:does not|doesn't|not) support (?:native )?(?:tools?|function)|(?:tools?|tool[_ ](?:use|calls?|calling)|function[_ ]?call(?:s|ing)?)\W{0,2} (?:is|are) not (?:supported|enabled|available)|不支持(?:工具|函数|tools|function)|tool choice requires|tools? param requires|requires --(?:jinja|enable-auto-tool-choice)|enable-auto-tool-choice|no endpoints found that support tool/i

const toolChoiceRefused =
  /(?:not support|unsupported|invalid|no endpoints found)[^.]{0,80}tool_choice|tool_choice[^.]{0,40}(?:not support|unsupported|invalid)/i

/** Whether the message of a failure says that the server does not support tools. */
export function isToolsRefusal(message: string): boolean {
  return toolsRefused.test(message)
}

/** Whether the message of a failure says that the server supports tools but not the option `tool_choice`. */
export function isToolChoiceRefusal(message: string): boolean {
  return toolChoiceRefused.test(message)
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = []
  let link = error
  while (link !== undefined && link !== null && chain.length < 8 && !chain.includes(link)) {
    chain.push(link)
    link = field(link, 'cause')
  }
  return chain
}

function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? Reflect.get(value, name) : undefined
}

function readStatus(link: unknown): number | null {
  for (const value of [
    field(link, 'status'),
    field(link, 'statusCode'),
    field(link, 'status_code'),
    field(field(link, 'response'), 'status'),
    field(field(link, '$metadata'), 'httpStatusCode'),
  ]) {
    if (typeof value === 'number' && value >= 100 && value < 600) return value
  }
  return null
}

function readHeader(link: unknown): (name: string) => string | null {
  const headers = field(link, 'headers') ?? field(field(link, 'response'), 'headers')
  return name => {
    if (headers instanceof Headers) return headers.get(name)
    const value = field(headers, name)
    return typeof value === 'string' ? value : null
  }
}

function listWords(link: unknown): string[] {
  if (typeof link === 'string') return [link]
  const words = ['name', 'message', 'code', 'type', 'body', 'error'].map(name => {
    const value = field(link, name)
    return value !== null && typeof value === 'object' ? JSON.stringify(value) : value
  })
  return words.filter(word => typeof word === 'string' && word !== '' && word !== 'Error') as string[]
}

function shorten(text: string): string {
  return clipText(joinToOneLine(text.replace(/\s*Troubleshooting URL: \S+/g, '')), 400)
}
