import type { AIMessage } from '@langchain/core/messages'
import { ProviderError, type ProviderReason } from '../core/errors.ts'
import { saysNoCredit, saysNotThere, waitNamedIn } from '../core/failure-words.ts'
import { retryAfter as retryAfterOf } from '../core/retry-after.ts'
import { failureWords } from './failure-body.ts'

/** What a failed request left behind, whatever client it came through. */
export interface FailureFacts {
  /** HTTP status, 200 for a failure inside an answer that names none of its own; null where no answer came. */
  readonly status: number | null
  /** The failure as it came: body, or all words of an error. */
  readonly text: string
  /** The Retry-After headers' wait; null where there was none. */
  readonly retryAfterMs: number | null
  /** The answer that was broken off; absent or null: none came. */
  readonly answer?: AIMessage | null
  /** What the user may look at; absent or null: nothing. */
  readonly hint?: string | null
}

// Budgets of output tokens alone are not meant: `max_tokens` beyond what a model can put out.
const contextWords =
  /context_length_exceeded|exceed_context_size|string_above_max_length|context (?:length|window|size|limit)|maximum (?:context|prompt|input|model) (?:length|tokens)|prompt (?:is too long|exceeds max length)|input (?:is too long|tokens? exceed|token count)|(?:input|inputs|prompt_tokens|prompt)\W{0,2}(?:length )?(?:\([^)]*\) )?(?:must (?:be|have) less than|exceeds the maximum)|range of input length|too many (?:input )?tokens|reduce the length|max_new_tokens|max_tokens must be at least 1, got -|(?:model token limit|max message tokens)|(?:超出|超过)[^，。;]{0,8}(?:长度|上下文)|超长/i
const filterWords =
  /content[_ ]?(?:filter|policy|management|exists risk)|responsibleai|safety (?:system|settings)|safety_check|flagged as potentially|input was flagged|moderation|violates (?:our )?usage (?:guidelines|polic)|data_inspection_failed|inappropriate content|sensitive[_ ]?(?:content|words?|information)|new_sensitive|敏感|内容安全|违规/i
const keyWords =
  /api[_ -]?(?:secret[_ ])?key|unauthori[sz]ed|authentication|invalid token|permission|login fail/i
const regionWords = /(?:location|country|region)[^.]{0,20} not supported/i
const rateWords =
  /throttl(?:ing|ed)|too many requests|per min(?:ute)?\b|rate[_ -]limit(?:s|ed|ing)?\b|rate_limit_|速率限制|请求频率|过于频繁|限流/i
// The limit is of a minute, and one request asks for more than that.
const tooLargeForLimit = /request too large/i
const brokenWords =
  /overloaded|internal[_ ](?:server[_ ])?error|server[_ ]error|service unavailable|has crashed|unexpected eof|upstream error|disconnected|try again later|稍后/i
const unreachable =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_SOCKET|other side closed|socket hang up|fetch failed|connection error|terminated|premature close/i
const timedOut = /ETIMEDOUT|UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT|timed? ?out|timeout/i

const modelWords =
  /\bmodel\b.{0,120}?\b(?:not found|not exist|unknown|not a valid|not supported|unavailable)|(?:unknown|invalid|unsupported|no such) model\b|model_not_found|not a valid model|模型.{0,40}不存在/i

type Verdict = readonly [reason: ProviderReason, retryable: boolean]

/**
 * Decides what a failure is and whether asking again can mend it. Words come before the status: services answer 400, 403,
 * 413, 429 and 500 for lack of credit, and 200 for anything.
 */
export function judgeFailure({ status, text }: FailureFacts): Verdict {
  const words = failureWords(text)
  if (status === null) {
    if (timedOut.test(words)) return ['timeout', true]
    if (unreachable.test(words)) return ['unavailable', true]
    return ['bad-response', false]
  }
  if (status === 401 || status === 402 || saysNoCredit(words)) return ['auth', false]
  if (status === 429 || status === 413) return judgeLimit(status, words)
  const told = judgeWords(status, words)
  if (told !== null) return told
  if (status === 403) return ['auth', false]
  if (status === 408 || status === 504 || status === 524) return ['timeout', true]
  // 498 is Groq’s for no capacity.
  if (status >= 500 || status === 409 || status === 425 || status === 498) return ['unavailable', true]
  return ['bad-response', false]
}

/** Too much asked for, in time or in one request. A body too large for a proxy says nothing of the model's window. */
function judgeLimit(status: 413 | 429, words: string): Verdict {
  const limited = status === 429 || rateWords.test(words)
  if (limited) return ['rate-limited', !tooLargeForLimit.test(words)]
  return [contextWords.test(words) ? 'context-window' : 'bad-response', false]
}

/** Statuses whose meaning the words tell; 200 stands for a failure inside an answer, which has no status of its own. */
const told = new Set([200, 400, 403, 422, 500])

function judgeWords(status: number, words: string): Verdict | null {
  if (!told.has(status)) return null
  if (status !== 403 && rateWords.test(words)) return ['rate-limited', true]
  if (status !== 403 && contextWords.test(words)) return ['context-window', false]
  if (filterWords.test(words)) return ['content-filter', false]
  const denied = keyWords.test(words) && /invalid|incorrect|not valid|missing|fail/i.test(words)
  if ((status === 200 || status === 400) && (denied || regionWords.test(words))) return ['auth', false]
  if (status !== 200) return null
  if (timedOut.test(words)) return ['timeout', true]
  return brokenWords.test(words) ? ['unavailable', true] : null
}

/** Whether only the operator can fix a failure: a refused key, an unknown model or address, a server that is not there. */
export function needsOperator(
  reason: ProviderReason,
  { status, text }: Pick<FailureFacts, 'status' | 'text'>,
): boolean {
  if (reason === 'auth') return true
  const words = failureWords(text)
  if (status === null) return reason === 'unavailable' && saysNotThere(words)
  return reason === 'bad-response' && (status === 404 || (status >= 400 && modelWords.test(words)))
}

/** The error a handle rejects with; `name` is the model's record name, so that a message tells who failed. */
export function providerError(name: string, facts: FailureFacts, cause?: unknown): ProviderError {
  const [reason, retryable] = judgeFailure(facts)
  const status = facts.status === null ? '' : `HTTP ${facts.status}: `
  const isBusy = reason === 'rate-limited' || reason === 'unavailable'
  const hint = typeof facts.hint === 'string' ? ` (${facts.hint})` : ''
  return new ProviderError(reason, `${name}: ${status}${shorten(facts.text)}${hint}`, {
    retryable,
    retryAfterMs: facts.retryAfterMs ?? (isBusy ? waitNamedIn(failureWords(facts.text)) : null),
    answer: facts.answer ?? null,
    fatalService: needsOperator(reason, facts) ? name : null,
    cause,
  })
}

/**
 * Any error of LangChain, an SDK or fetch as a ProviderError. A ProviderError thrown below (by our own fetch) is found
 * in the chain of causes and kept.
 */
export function toProviderError(name: string, error: unknown): ProviderError {
  const chain = causes(error)
  for (const link of chain) if (link instanceof ProviderError) return link
  let status: number | null = null
  let retryAfterMs: number | null = null
  const words: string[] = []
  for (const link of chain) {
    status ??= readStatus(link)
    retryAfterMs ??= retryAfter(readHeader(link))
    words.push(...wordsOf(link))
  }
  return providerError(name, { status, text: [...new Set(words)].join('; '), retryAfterMs }, error)
}

/** The wait that the headers name; null where they name none. */
export function retryAfter(header: (name: string) => string | null): number | null {
  return retryAfterOf(header, Date.now())
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

function wordsOf(link: unknown): string[] {
  if (typeof link === 'string') return [link]
  const words = ['name', 'message', 'code', 'type', 'body', 'error'].map(name => {
    const value = field(link, name)
    return value !== null && typeof value === 'object' ? JSON.stringify(value) : value
  })
  return words.filter(word => typeof word === 'string' && word !== '' && word !== 'Error') as string[]
}

function shorten(text: string): string {
  const line = text
    .replace(/\s*Troubleshooting URL: \S+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > 400 ? `${line.slice(0, 400)}…` : line
}
