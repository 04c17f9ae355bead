import { ProviderError, ToolError } from '../../src/core/errors.ts'
import { withRetry } from '../../src/system/retry.ts'
import type { PageEnvironment } from './page-reader.ts'

/**
 * Sends a request for a page and charges one fetch each time. It is sent up to two more times after 429, 5xx and
 * network failures.
 *
 * @throws ToolError when the failure persists: the agent sees it as a result, also when a reader service fetches the page.
 * ProviderError only for what the operator must fix, such as a refused key or missing credit
 */
export async function chargedRequest<T>(
  what: string,
  environment: Omit<PageEnvironment, 'renderer'>,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await withRetry(
      async () => {
        environment.charge('fetchCalls', what)
        return await request()
      },
      {
        retries: 2,
        firstWaitMs: 500,
        maxWaitMs: 10_000,
        clock: environment.clock,
        signal: environment.signal,
        onRetry: (error, retry, waitMs) => environment.retried(what, error.message, retry, waitMs),
      },
    )
  } catch (error) {
    if (!(error instanceof ProviderError) || error.fatalService !== null) throw error
    throw new ToolError('http-status', error.message, { infrastructure: true, cause: error })
  }
}
