import { z } from 'zod/v4'
import { ProviderError, ToolError } from '../../src/core/errors.ts'
import { saysNoCredit, saysRefilling, waitNamedIn } from '../../src/core/failure-words.ts'
import { oneLine } from '../../src/core/one-line.ts'
import { retryAfter as retryAfterOf } from '../../src/core/retry-after.ts'
import type { WebResponse } from '../web/transport.ts'

const decoder = new TextDecoder()

/** How a service's failures differ from the common way. */
export interface FailureWords {
  /** Says 'key' or 'credit' where this service's answer means that, 'retry' where asking again helps, else null. */
  readonly verdict?: (status: number, body: string) => 'key' | 'credit' | 'retry' | null
}

/**
 * The JSON of a search service's answer, read by `schema`. Rejects with ProviderError: lack of credit (402, or said in
 * the body of a 400, 401, 403 or 429) and a bad key are auth and never retried, 429 is rate-limited, 5xx and 408
 * unavailable, and an answer that is no JSON of that shape bad-response. A request that the service finds wrong is a ToolError.
 */
export function readServiceAnswer<T>(
  service: string,
  response: WebResponse,
  schema: z.ZodType<T>,
  words: FailureWords = {},
): T {
  const body = decoder.decode(response.body)
  if (response.status < 200 || response.status > 299) throw failureOf(service, response, body, words)
  const read = schema.safeParse(parsedJson(body))
  if (read.success) return read.data
  throw new ProviderError('bad-response', `${service} answered with something that is no search result`, {
    retryable: true,
    cause: read.error,
  })
}

/** A list in which what does not fit is left out, since one odd hit must not cost the others; one that is absent is empty. */
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

/** Undefined, which no JSON gives and no schema takes, where the body is none. */
function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function failureOf(service: string, response: WebResponse, body: string, words: FailureWords): Error {
  const { status } = response
  const said = shortened(body)
  const verdict = words.verdict?.(status, body) ?? commonVerdict(status, body)
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
  const retryAfterMs = retryAfter(response.headers) ?? (status === 429 ? waitNamedIn(body) : null)
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

/** A failure of another status may speak of credit as well: it repeats the query, as a 400 may too. */
function commonVerdict(status: number, body: string): 'key' | 'credit' | null {
  if (status === 402 || (status === 400 && saysNoCredit(body))) return 'credit'
  const isRefused = status === 401 || status === 403
  const speaksOfCredit = (isRefused || status === 429) && /credit|quota/i.test(body)
  // Nearly every service calls the limit of a minute a quota, too.
  if (speaksOfCredit && !(status === 429 && saysRefilling(body))) return 'credit'
  return isRefused ? 'key' : null
}

function shortened(body: string): string {
  const line = oneLine(body).slice(0, 200)
  return line === '' ? '' : `: ${line}`
}

/** The wait that the headers name; no clock is asked, so that a replay waits as the recorded run did. */
export function retryAfter(headers: Readonly<Record<string, string>>): number | null {
  return retryAfterOf(name => headers[name] ?? null, null)
}
