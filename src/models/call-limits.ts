import { ProviderError } from '../core/errors.ts'
import { longestTimerMs } from '../core/runtime.ts'

/** A request may take this long, answer included, unless told otherwise. */
export const defaultRequestTimeoutMs = 120_000

/**
 * Runs one request under the caller's signal and a time limit. Rejects with the signal's reason when the caller aborts,
 * with ProviderError (timeout, retryable) when the time is up, else with what `work` rejects with.
 */
export async function withTimeLimit<T>(
  name: string,
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const controller = new AbortController()
  const forward = (): void => controller.abort(signal.reason)
  signal.addEventListener('abort', forward, { once: true })
  const end = (): void => controller.abort(tooLate(name, timeoutMs))
  const timer = setTimeout(end, Math.min(timeoutMs, longestTimerMs))
  try {
    return await work(controller.signal)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (controller.signal.aborted) throw controller.signal.reason
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', forward)
  }
}

/** A request that was given up because its time was up. */
export function tooLate(name: string, timeoutMs: number): ProviderError {
  return new ProviderError('timeout', `${name}: no answer within ${timeoutMs / 1000} s`, { retryable: true })
}

/** The smaller of two caps; null: none. */
export function smallerCap(a: number | null | undefined, b: number | null | undefined): number | null {
  if (a === null || a === undefined) return b ?? null
  return b === null || b === undefined ? a : Math.min(a, b)
}
