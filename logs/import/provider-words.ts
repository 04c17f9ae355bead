import type { AttemptEnd } from '../../src/core/termination.ts'

/** Words of failed model calls, in order of precedence. */
const failures: readonly (readonly [RegExp, AttemptEnd])[] = [
  [
    /context.?(?:length|window)|prompt is too long|token limit exceeded/i,
    { cause: 'budget', reason: 'context-window' },
  ],
  [/\b429\b|rate.?limit/i, { cause: 'provider', reason: 'rate-limited' }],
  [/\b40[13]\b|unauthorized|authentication/i, { cause: 'provider', reason: 'auth' }],
  [/timed out|timeout/i, { cause: 'provider', reason: 'timeout' }],
  [/content.?filter/i, { cause: 'provider', reason: 'content-filter' }],
  [
    /\b5\d\d\b|overloaded|unavailable|server.?error|connection.?error|stream disconnected/i,
    { cause: 'provider', reason: 'unavailable' },
  ],
]

/** Returns the end that a message of a failed model call describes; null when it is unknown. */
export function findProviderFailure(words: string): AttemptEnd | null {
  return failures.find(([pattern]) => pattern.test(words))?.[1] ?? null
}

/** Returns whether a message says that the provider refused a request because of its rate limit. */
export function isRateLimit(words: string): boolean {
  return findProviderFailure(words)?.reason === 'rate-limited'
}
