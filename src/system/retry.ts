import pRetry, { AbortError } from 'p-retry'
import { ProviderError, ToolError } from '../core/errors.ts'
import type { Clock } from '../core/runtime.ts'

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
  let failure: unknown
  try {
    // Nearly every request succeeds, and needs nothing of what follows.
    return await work(0)
  } catch (error) {
    failure = error
  }
  return await pRetry(
    async attemptNumber => {
      try {
        if (attemptNumber === 1) throw failure
        return await work(attemptNumber - 1)
      } catch (error) {
        if (options.signal.aborted) throw new AbortError(asError(options.signal.reason))
        if (!isRetryable(error) || attemptNumber > options.retries) throw new AbortError(asError(error))
        const doubled = options.firstWaitMs * 2 ** (attemptNumber - 1)
        const asked = error instanceof ProviderError ? error.retryAfterMs : null
        const waitMs = Math.min(asked ?? doubled, options.maxWaitMs)
        try {
          options.onRetry?.(asError(error), attemptNumber, waitMs)
          await options.clock.sleep(waitMs, options.signal)
        } catch (stop) {
          throw new AbortError(asError(stop))
        }
        throw asError(error)
      }
    },
    { retries: options.retries, minTimeout: 0, maxTimeout: 0 },
  )
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}

/**
 * What the work comes to, or the signal's reason as soon as it aborts: work that does not heed the signal is left behind,
 * and may go on for others who wait for it.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    const over = (): void => signal.removeEventListener('abort', stop)
    work.then(
      value => {
        over()
        resolve(value)
      },
      (error: unknown) => {
        over()
        reject(error)
      },
    )
  })
}
