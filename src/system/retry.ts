import pRetry, { AbortError } from 'p-retry'
import { ProviderError, ToolError } from '../core/errors.ts'
import type { Clock } from '../core/runtime.ts'

/** How often and after which waits a request is repeated. */
export interface RetryOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The most tries after the first. */
  readonly retries: number
  /** The wait before the first retry. It doubles each time, unless the service names a wait. */
  readonly firstWaitMs: number
  readonly maxWaitMs: number
  /** Called before each retry, with the failure and the wait. May throw to stop. */
  readonly onRetry?: (error: Error, retry: number, waitMs: number) => void
}

/** The usual number of retries and waits. */
export const defaultRetry = { retries: 4, firstWaitMs: 500, maxWaitMs: 60_000 } as const

function isRetryable(error: unknown): boolean {
  return error instanceof ProviderError ? error.retryable : error instanceof ToolError && error.infrastructure
}

/**
 * Does the work, and repeats it after a retryable ProviderError or a ToolError of the infrastructure. It waits as long as the
 * service asks. Any other error, or an abort of the signal, ends it at once. This is the only retry policy of the program.
 */
export async function withRetry<T>(work: (retry: number) => Promise<T>, options: RetryOptions): Promise<T> {
  let failure: unknown
  try {
    // Nearly every request succeeds at once, and needs no retry machinery.
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
        const askedMs = error instanceof ProviderError ? error.retryAfterMs : null
        const waitMs = Math.min(askedMs ?? doubled, options.maxWaitMs)
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
 * Returns the result of the work, or rejects with the signal's reason as soon as it aborts. The work itself is not stopped,
 * because other callers may wait for it.
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
