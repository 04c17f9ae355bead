import { httpUrl } from '../../src/core/canonical-url.ts'
import { ProviderError, ToolError } from '../../src/core/errors.ts'
import { sha256 } from '../../src/core/hash.ts'
import { withRetry } from '../../src/core/retry.ts'
import { retryAfter } from '../search/service-answer.ts'
import type { ToolEnvironment } from '../tool.ts'
import { pageRequest } from '../web/page-request.ts'
import type { WebResponse } from '../web/transport.ts'
import { once, storeOf } from './attempt-store.ts'
import { bodyType, type PageBody } from './body-type.ts'

const retryPolicy = { retries: 2, firstWaitMs: 500, maxWaitMs: 10_000 } as const

/**
 * Downloads a URL once an attempt; each request that goes to the network is charged as one fetch, retries too.
 * 429, 5xx and failures of the network are tried twice more. Rejects with ToolError.
 */
export async function fetchBody(link: string, environment: ToolEnvironment): Promise<PageBody> {
  const url = addressOf(link)
  const { bodies } = storeOf(environment)
  return await once(bodies, url, async () => {
    const body = await download(url, environment)
    bodies.set(addressOf(body.finalUrl), Promise.resolve(body))
    return body
  })
}

/** The URL without its fragment; ToolError for anything that is no http(s) URL. */
function addressOf(link: string): string {
  const url = httpUrl(link)
  if (url === null) {
    const mend = URL.canParse(link.trim())
      ? 'only http and https are read'
      : 'give a whole URL, such as https://host/path'
    throw new ToolError(URL.canParse(link.trim()) ? 'blocked' : 'bad-input', `${link.slice(0, 200)}: ${mend}`)
  }
  url.hash = ''
  return url.href
}

async function download(url: string, environment: ToolEnvironment): Promise<PageBody> {
  const what = `fetch: ${url}`
  const response = await withRetry(
    async () => {
      environment.charge('fetchCalls', what)
      return checked(url, await environment.transport.send(pageRequest(url), environment.signal))
    },
    {
      ...retryPolicy,
      clock: environment.clock,
      signal: environment.signal,
      onRetry: (error, retry, waitMs) => environment.retried(what, error.message, retry, waitMs),
    },
  ).catch((error: unknown) => {
    throw error instanceof ProviderError
      ? new ToolError('http-status', error.message, { infrastructure: true, cause: error })
      : error
  })
  const contentTypeHeader = response.headers['content-type'] ?? ''
  return {
    url,
    finalUrl: response.finalUrl,
    bytes: response.body,
    sha256: sha256(response.body),
    type: bodyType(response.body, contentTypeHeader, response.finalUrl),
    contentTypeHeader,
  }
}

/** Inside the retry a passing failure is a ProviderError, since that carries the wait the server asked for. */
function checked(url: string, response: WebResponse): WebResponse {
  const { status } = response
  if (status >= 200 && status < 300) return response
  const message = `HTTP ${status} for ${url}`
  if (status === 429 || status >= 500) {
    throw new ProviderError(status === 429 ? 'rate-limited' : 'unavailable', message, {
      retryable: true,
      retryAfterMs: retryAfter(response.headers),
    })
  }
  throw new ToolError('http-status', message)
}
