import { z } from 'zod/v4'
import type { AttemptEnd } from '../../src/core/termination.ts'
import { isObject } from '../../src/text/json.ts'
import { sumOrNull } from './call-usage.ts'
import { type ForeignAttempt, type ForeignEnd, mapped, unmapped } from './foreign-log.ts'
import { countOrUnknown } from './message-parts.ts'
import { findProviderFailure } from './provider-words.ts'

/** Token counts as Codex writes them. */
export const codexTokensSchema = z.looseObject({
  input_tokens: countOrUnknown,
  cached_input_tokens: countOrUnknown,
  output_tokens: countOrUnknown,
  reasoning_output_tokens: countOrUnknown,
  total_tokens: countOrUnknown,
})
/** Token counts as Codex writes them. */
export type CodexTokens = z.infer<typeof codexTokensSchema>

/** Ends by the kind of error that Codex names. */
const errorEnds: Readonly<Record<string, AttemptEnd>> = {
  context_window_exceeded: { cause: 'budget', reason: 'context-window' },
  session_budget_exceeded: { cause: 'budget', reason: 'tokens' },
  usage_limit_exceeded: { cause: 'provider', reason: 'rate-limited' },
  server_overloaded: { cause: 'provider', reason: 'unavailable' },
  internal_server_error: { cause: 'provider', reason: 'unavailable' },
  unauthorized: { cause: 'provider', reason: 'auth' },
  cyber_policy: { cause: 'provider', reason: 'content-filter' },
}

/** Returns the end that an error message of Codex describes. */
export function errorEnd(message: string, info: unknown = null): ForeignEnd {
  const [kind, more] = isObject(info)
    ? (Object.entries(info)[0] ?? ['', null])
    : [typeof info === 'string' ? info : '', null]
  const mappedEnd = errorEnds[kind]
  const words = [kind, message].filter(part => part !== '').join(': ')
  if (mappedEnd !== undefined) return mapped(mappedEnd, words)
  if (/reason: max_output_tokens/.test(message))
    return mapped({ cause: 'budget', reason: 'output-limit' }, words)
  if (/reason: content_filter/.test(message))
    return mapped({ cause: 'provider', reason: 'content-filter' }, words)
  const status = isObject(more) && typeof more.http_status_code === 'number' ? more.http_status_code : null
  const failure =
    findProviderFailure(status === null ? message : String(status)) ?? findProviderFailure(message)
  return failure === null ? unmapped(words) : mapped(failure, words)
}

/** Adds up token counts. A count that one call does not report is unknown. */
export function sumTokens(records: readonly CodexTokens[]): ForeignAttempt['usage'] {
  return {
    inputTokens: sumOrNull(records.map(record => record.input_tokens)),
    cachedInputTokens: sumOrNull(records.map(record => record.cached_input_tokens)),
    outputTokens: sumOrNull(records.map(record => record.output_tokens)),
    reasoningTokens: sumOrNull(records.map(record => record.reasoning_output_tokens)),
  }
}
