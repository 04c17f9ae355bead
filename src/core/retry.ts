import { ProviderError, ToolError } from './errors.ts'
import type { Clock } from './runtime.ts'

export interface RetryOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Further tries after the first. */
  readonly retries: number
  /** The wait before the first retry, doubled each time, unless the service names its own. */
  readonly firstWaitMs: number
  readonly maxWaitMs: number
  /** Called before each retry, with the failure that made it needed and the wait; may throw to stop. */
  readonly onRetry?: (error: Error, retry: number, waitMs: number) => void
}

export const defaultRetry = { retries: 4, firstWaitMs: 500, maxWaitMs: 60_000 } as const

function isRetryable(error: unknown): boolean {
  return error instanceof ProviderError ? error.retryable : error instanceof ToolError && error.infrastructure
}

/**
 * The one retry policy: asks again after a retryable ProviderError or a ToolError of the infrastructure,
 * waits as long as Retry-After says, stops at once on anything else and when the signal aborts.
 */
export async function withRetry<T>(work: (retry: number) => Promise<T>, options: RetryOptions): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await work(retry)
    } catch (error) {
      if (options.signal.aborted) throw asError(options.signal.reason)
      if (!isRetryable(error) || retry >= options.retries) throw asError(error)
      const waitMs = waitBefore(retry + 1, error, options)
      options.onRetry?.(asError(error), retry + 1, waitMs)
      await options.clock.sleep(waitMs, options.signal)
    }
  }
}

function waitBefore(retry: number, error: unknown, { firstWaitMs, maxWaitMs }: RetryOptions): number {
  const asked = error instanceof ProviderError ? error.retryAfterMs : null
  return Math.min(asked ?? firstWaitMs * 2 ** (retry - 1), maxWaitMs)
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
