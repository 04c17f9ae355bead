import { ProviderError } from '../core/errors.ts'
import { longestTimerMs } from '../core/runtime.ts'

/** The default time limit of a request, including its answer. */
export const defaultRequestTimeoutMs = 120_000

/**
 * Runs one request with the caller's signal and a time limit.
 *
 * @param name the record name of the model, for the message
 * @throws the signal's reason when the caller aborts
 * @throws ProviderError `timeout` (retryable) when the time limit is reached
 */
export async function withTimeLimit<T>(
  name: string,
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = openTimeLimit(name, timeoutMs, signal)
  try {
    return await work(limit.signal)
  } catch (error) {
    throw limit.causeOf(error)
  } finally {
    limit.close()
  }
}

/** A time limit beside the caller's signal, for work that one function does not contain. */
export interface TimeLimit {
  /** Aborts with the caller's reason, or with ProviderError `timeout` when the time limit is reached. */
  readonly signal: AbortSignal
  /** Returns the reason of the abort, or the error when nothing was aborted. */
  causeOf(error: unknown): unknown
  close(): void
}

/**
 * Starts a time limit.
 *
 * @param name the record name of the model, for the message
 * @throws the signal's reason when the caller has aborted
 */
export function openTimeLimit(name: string, timeoutMs: number, signal: AbortSignal): TimeLimit {
  signal.throwIfAborted()
  const controller = new AbortController()
  const forward = (): void => controller.abort(signal.reason)
  signal.addEventListener('abort', forward, { once: true })
  const stop = (): void => controller.abort(timeoutError(name, timeoutMs))
  const timer = setTimeout(stop, Math.min(timeoutMs, longestTimerMs))
  return {
    signal: controller.signal,
    causeOf: error =>
      signal.aborted ? signal.reason : controller.signal.aborted ? controller.signal.reason : error,
    close() {
      clearTimeout(timer)
      signal.removeEventListener('abort', forward)
    },
  }
}

/** Returns the error of a request that reached its time limit. */
export function timeoutError(name: string, timeoutMs: number): ProviderError {
  return new ProviderError('timeout', `${name}: no answer within ${timeoutMs / 1000} s`, { retryable: true })
}

/** Returns the smaller of two caps; null when neither is set. */
export function smallerCap(a: number | null | undefined, b: number | null | undefined): number | null {
  if (a === null || a === undefined) return b ?? null
  return b === null || b === undefined ? a : Math.min(a, b)
}
