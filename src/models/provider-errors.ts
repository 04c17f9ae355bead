import type { AIMessage } from '@langchain/core/messages'
import { ProviderError, type ProviderReason } from '../core/errors.ts'
import { retryAfter as retryAfterOf } from '../core/retry-after.ts'

/** What a failed request left behind, whatever client it came through. */
export interface FailureFacts {
  /** HTTP status; null where no answer came. */
  readonly status: number | null
  /** All words of the failure: message, body, codes. */
  readonly text: string
  /** The Retry-After headers' wait; null where there was none. */
  readonly retryAfterMs: number | null
  /** The answer that was broken off; absent or null: none came. */
  readonly answer?: AIMessage | null
}

const contextWords =
  /context_length_exceeded|exceed_context_size|context (?:length|window|size)|maximum (?:context|prompt|input) (?:length|tokens)|prompt is too long|input (?:is too long|tokens? exceed|token count)|too many (?:input )?tokens|reduce the length|max_new_tokens/i
const filterWords =
  /content[_ ]?(?:filter|policy|management)|responsibleai|safety (?:system|settings)|flagged as potentially|moderation/i
const creditWords =
  /credit|quota|insufficient[_ ](?:funds|balance)|billing[_ ](?:hard[_ ])?limit|spend(?:ing)?[_ ]limit|余额|欠费|额度/i
// A quota that refills by itself is a rate limit: asking again mends it.
const refillingQuota = /quota[^.]{0,80}per (?:minute|second|hour)|PerMinute|requests per (?:minute|second)/i
const keyWords = /api[_ -]?key|unauthori[sz]ed|authentication|invalid token|permission/i
const unreachable =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_SOCKET|other side closed|socket hang up|fetch failed|connection error|terminated|premature close/i
const timedOut = /ETIMEDOUT|UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT|timed? ?out|timeout/i

type Verdict = readonly [reason: ProviderReason, retryable: boolean]

/** Decides what a failure is and whether asking again can mend it; words come before the status, as in a 429 for lack of credit. */
export function judgeFailure(facts: FailureFacts): Verdict {
  const { status, text } = facts
  if (status === null) {
    if (timedOut.test(text)) return ['timeout', true]
    if (unreachable.test(text)) return ['unavailable', true]
    return ['bad-response', false]
  }
  if (status === 401 || status === 402) return ['auth', false]
  if ((status === 403 || status === 429) && creditWords.test(text) && !refillingQuota.test(text)) {
    return ['auth', false]
  }
  if (status === 429) return ['rate-limited', true]
  if (status === 413 || ((status === 400 || status === 422 || status === 500) && contextWords.test(text))) {
    return ['context-window', false]
  }
  if ((status === 400 || status === 403 || status === 422) && filterWords.test(text)) {
    return ['content-filter', false]
  }
  if (status === 403) return ['auth', false]
  if (status === 400 && keyWords.test(text) && /invalid|incorrect|not valid|missing/i.test(text)) {
    return ['auth', false]
  }
  if (status === 408 || status === 504) return ['timeout', true]
  if (status >= 500 || status === 409 || status === 425) return ['unavailable', true]
  return ['bad-response', false]
}

/** The error a handle rejects with; `name` is the model's record name, so that a message tells who failed. */
export function providerError(name: string, facts: FailureFacts, cause?: unknown): ProviderError {
  const [reason, retryable] = judgeFailure(facts)
  const status = facts.status === null ? '' : `HTTP ${facts.status}: `
  return new ProviderError(reason, `${name}: ${status}${shorten(facts.text)}`, {
    retryable,
    retryAfterMs: facts.retryAfterMs,
    answer: facts.answer ?? null,
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
